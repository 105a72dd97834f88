-- Views that cut what is inserted into a table that keeps nothing: the table each writes, its columns, and its SELECT from a scratch table in
-- place of that table. Grain: one view. Parameters: table, scratch. Reads the system's own tables.
SELECT extract(v.create_table_query, ' TO [^ .]+[.]([^ (]+)') AS target, c.columns AS columns, replaceAll(v.as_select, concat(currentDatabase(), '.', {table:String}), {scratch:String}) AS text
FROM system.tables AS v
INNER JOIN (
  SELECT table, arrayStringConcat(arrayMap(pair -> pair.2, arraySort(groupArray((position, name)))), ', ') AS columns
  FROM system.columns WHERE database = currentDatabase() GROUP BY table
) AS c ON c.table = v.name
WHERE v.database = currentDatabase() AND v.engine = 'MaterializedView' AND position(v.as_select, concat(currentDatabase(), '.', {table:String})) > 0
ORDER BY v.name
