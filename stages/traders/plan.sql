-- What a run of traders has to look at: what segments told of whom since the run before, up to what enrich has finished (or the segment asked for), and the newest time known then. It is asked every
-- few seconds, so it reads runs, batches and what was told since, and no trader: where nothing was told no time has passed, and the run before judged anew whoever was judged more than a day before it.
-- Grain: one row. Parameters: chain, upto (the largest UInt64: what enrich has finished). Sort keys: hl_trader_runs (chain, run), batches (chain, stage), hl_touched (chain, block_number).
WITH
  (SELECT (max(r.upto), max(r.judged_at), max(r.run)) FROM hl_trader_runs AS r WHERE r.chain = {chain:String}) AS before,
  least({upto:UInt64}, if({upto:UInt64} = 18446744073709551615, (SELECT toUInt64(max(b.to_block)) FROM batches AS b WHERE b.chain = {chain:String} AND b.stage = 'enrich'), {upto:UInt64})) AS reach
SELECT toFloat64(before.1) AS done, toFloat64(greatest(reach, before.1)) AS upto, toFloat64(before.3) AS last_run, toFloat64(toUnixTimestamp64Milli(greatest(before.2, max(t.until)))) AS until, toFloat64(count()) AS touched
FROM hl_touched AS t
WHERE t.chain = {chain:String} AND t.block_number > before.1 AND t.block_number <= reach
