-- The published views with their comments; of a view with a parameter the server knows no columns.
-- Grain: one view. Parameters: database. Read from the server's own catalogue.
SELECT t.name AS name, any(t.comment) AS description, any(t.as_select) AS definition, 
  arrayMap(one -> (one.2, one.3, one.4), arraySort(groupArrayIf((c.position, c.name, c.type, c.comment), c.name != ''))) AS columns
FROM (SELECT name, comment, as_select FROM system.tables WHERE database = {database:String}) AS t
LEFT JOIN (SELECT table, position, name, type, comment FROM system.columns WHERE database = {database:String}) AS c ON c.table = t.name
GROUP BY t.name
ORDER BY name
