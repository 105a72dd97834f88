-- Says that a run's scores and leaders are there, while no block is planned within half of in_force_after below the height it speaks from.
-- Grain: one run, no row where planning has come too near or the run has landed before. Parameters: chain, rule, rule_version, as_of, until (Unix milliseconds),
-- in_force_from, in_force_after. Sort keys: plans (chain, seq, …), batches (chain, stage, …), leader_runs (chain, in_force_from).
INSERT INTO leader_runs (chain, rule, rule_version, as_of, as_of_time, in_force_from, computed_at)
SELECT {chain:String}, {rule:String}, {rule_version:UInt16}, {as_of:UInt64}, fromUnixTimestamp64Milli({until:Int64}, 'UTC'), {in_force_from:UInt64}, now64(3)
WHERE greatest((SELECT max(p.to_block) FROM plans AS p WHERE p.chain = {chain:String} AND p.kind = 'plan'), (SELECT max(b.to_block) FROM batches AS b WHERE b.chain = {chain:String})) + intDiv({in_force_after:UInt32}, 2) < {in_force_from:UInt64}
  AND NOT EXISTS (SELECT 1 FROM leader_runs AS r WHERE r.chain = {chain:String} AND r.rule = {rule:String} AND r.rule_version = {rule_version:UInt16} AND r.as_of = {as_of:UInt64})
