-- Whether all rules of a version were given up. Grain: one row. Parameters: version. The table is a handful of rows.
SELECT CAST(count() > 0 AND count() = countIf(archived), 'Bool') AS archived FROM hl_signal_rules AS r FINAL WHERE r.version = {version:String}
