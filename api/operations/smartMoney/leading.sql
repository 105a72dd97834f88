-- Whether anybody led at any block up to the newest: of a run that landed and had come into force by then. Grain: one row (led).
-- Parameters: chain, newest. Sort keys: leaders and leader_runs (chain, in_force_from, …). Both are small.
SELECT count() > 0 AS led FROM leaders AS l
WHERE l.chain = {chain:String} AND l.in_force_from <= {newest:UInt64}
  AND (l.in_force_from, l.as_of, l.rule, l.rule_version) IN (SELECT r.in_force_from, r.as_of, r.rule, r.rule_version FROM leader_runs AS r WHERE r.chain = {chain:String})
