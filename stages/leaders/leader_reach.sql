-- The highest block that anybody has planned or landed, no lower than the height of a run, and whether that run has landed.
-- Grain: one row. Parameters: chain, rule, rule_version, as_of. Sort keys: plans (chain, seq, …), batches (chain, stage, …), leader_runs (chain, in_force_from).
SELECT toFloat64(greatest({as_of:UInt64}, (SELECT max(p.to_block) FROM plans AS p WHERE p.chain = {chain:String} AND p.kind = 'plan'), (SELECT max(b.to_block) FROM batches AS b WHERE b.chain = {chain:String}))) AS highest,
  toFloat64((SELECT count() FROM leader_runs AS r WHERE r.chain = {chain:String} AND r.rule = {rule:String} AND r.rule_version = {rule_version:UInt16} AND r.as_of = {as_of:UInt64})) AS landed
