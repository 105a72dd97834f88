-- The newest version of a rule. Grain: one row. Parameters: rule. leader_rules is small and read whole.
SELECT * FROM leader_rules FINAL WHERE rule = {rule:String} ORDER BY version DESC LIMIT 1
