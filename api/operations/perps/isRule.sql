-- Whether a rule that gives signals has a name. Grain: one row where one does, none where none does. Parameters: name. hl_signal_rules is a handful of rows.
SELECT 1 AS is_rule FROM hl_signal_rules AS r WHERE r.kind = {name:String} LIMIT 1
