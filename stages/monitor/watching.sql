-- Whether there is anything to screen again: addresses that are watched, and changes of sanctions lists. Grain: one row. Parameters: none. Both tables are small and counted whole.
SELECT (SELECT count() FROM watched_addresses WHERE NOT removed) AS addresses, (SELECT count() FROM sanctions_changes) AS changed, (SELECT max(seq) FROM watch_alerts) AS told
