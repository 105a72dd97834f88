-- What a run of traders has to look at: segments told since the run before, up to what enrich has finished (or the segment asked for), and the newest time known then.
-- Grain: one row. Parameters: chain, upto (the largest UInt64: what enrich has finished). Sort keys: batches (chain, stage), hl_touched (chain, block_number), hl_trader_runs.
WITH
  (SELECT max(r.upto) FROM hl_trader_runs AS r WHERE r.chain = {chain:String}) AS finished,
  (SELECT max(r.judged_at) FROM hl_trader_runs AS r WHERE r.chain = {chain:String}) AS before,
  (SELECT max(r.run) FROM hl_trader_runs AS r WHERE r.chain = {chain:String}) AS newest_run,
  least({upto:UInt64}, if({upto:UInt64} = 18446744073709551615, (SELECT toUInt64(max(b.to_block)) FROM batches AS b WHERE b.chain = {chain:String} AND b.stage = 'enrich'), {upto:UInt64})) AS reach
SELECT toFloat64(finished) AS done, toFloat64(greatest(reach, finished)) AS upto, toFloat64(newest_run) AS last_run, toFloat64(toUnixTimestamp64Milli(greatest(before, max(t.until)))) AS until, toFloat64(count()) AS touched,
  toFloat64((SELECT count() FROM hl_traders AS k FINAL WHERE k.chain = {chain:String} AND k.judged_at < before - INTERVAL 1 DAY)) AS old
FROM hl_touched AS t
WHERE t.chain = {chain:String} AND t.block_number > finished AND t.block_number <= reach
