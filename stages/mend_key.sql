-- By what a row of a table is known: its sort key, where it comes from, and whose and which version it is. Grain: one row; a table without a sort key has ''.
-- How a price came about (method) is none of it: a token has one price at a block, and run again its statements may find a better one than the one that was valued by.
-- Parameters: table. Reads the system's own tables.
SELECT if(t.sorting_key = '', '', arrayStringConcat(arrayDistinct(arrayConcat(splitByString(', ', t.sorting_key), arrayFilter(name -> has(c.names, name), ['block_number', 'generation', 'version', 'source', 'side']))), ', ')) AS key
FROM system.tables AS t
INNER JOIN (SELECT groupArray(name) AS names FROM system.columns WHERE database = currentDatabase() AND table = {table:String}) AS c ON 1
WHERE t.database = currentDatabase() AND t.name = {table:String}
