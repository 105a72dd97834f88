-- The lowest block of what entered the plan after one place in it, and the newest place (0: nothing did). Grain: one row. Parameters: chain, after. Sort key of plans (chain, seq).
SELECT max(p.seq) AS seq, minOrNullIf(p.from_block, p.kind = 'plan') AS lowest FROM plans AS p
WHERE p.chain = {chain:String} AND p.seq > {after:UInt64}
