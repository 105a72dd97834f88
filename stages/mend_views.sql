-- Views that cut what is inserted into a table that keeps nothing: the table each writes, its columns, and its SELECT from a scratch table in
-- place of that table. Grain: one view. Parameters: table, scratch. Reads the system's own tables, of what hangs on the table alone: whatever else there is would be described in full first.
WITH (SELECT dependencies_table FROM system.tables WHERE database = currentDatabase() AND name = {table:String}) AS hanging
SELECT extract(v.create_table_query, ' TO [^ .]+[.]([^ (]+)') AS target, c.columns AS columns, replaceAll(v.as_select, concat(currentDatabase(), '.', {table:String}), {scratch:String}) AS text
FROM system.tables AS v
INNER JOIN (
  SELECT table, arrayStringConcat(arrayMap(pair -> pair.2, arraySort(groupArray((position, name)))), ', ') AS columns
  FROM system.columns WHERE database = currentDatabase() AND has(hanging, table) GROUP BY table
) AS c ON c.table = v.name
WHERE v.database = currentDatabase() AND has(hanging, v.name) AND v.engine = 'MaterializedView'
ORDER BY v.name
