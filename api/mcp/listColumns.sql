-- Columns of the tables that hold chain data, with the sort key of their table.
-- Grain: one table. Parameters: tables (names). Read from the server's own catalogue.
SELECT c.table AS name, any(t.sorting_key) AS sort_key, groupArray((c.name, c.type)) AS columns
FROM (SELECT table, name, type FROM system.columns WHERE database = currentDatabase() AND table IN {tables:Array(String)} ORDER BY table, position) AS c
LEFT JOIN (SELECT name, sorting_key FROM system.tables WHERE database = currentDatabase()) AS t ON t.name = c.table
GROUP BY c.table
ORDER BY name
