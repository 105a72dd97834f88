-- Up to where leaders may be computed: the newest indexed block, or the height asked for, and no higher than what the chain calls final.
-- Grain: one row. Parameters: chain, height (the largest UInt64: the newest), finality. Sort keys: blocks (chain, block_number), heads (chain, observed_at).
WITH
  (SELECT max(to_block) FROM batches WHERE chain = {chain:String} AND stage = 'index') AS indexed,
  (SELECT if(count() > 0, argMax(h.finalized, h.observed_at), if(indexed > {finality:UInt64}, toUInt64(indexed - {finality:UInt64}), toUInt64(0))) FROM heads AS h WHERE h.chain = {chain:String}) AS final
SELECT toFloat64(max(b.block_number)) AS height, toFloat64(toUnixTimestamp64Milli(max(b.block_time))) AS until, toFloat64(count()) AS blocks,
  (SELECT toFloat64(max(r.as_of)) FROM leader_runs AS r WHERE r.chain = {chain:String}) AS newest_run,
  (SELECT toFloat64(uniq(w.account)) FROM wallet_trades AS w WHERE w.chain = {chain:String}) AS wallets
FROM blocks AS b
WHERE b.chain = {chain:String} AND b.block_number <= {height:UInt64} AND b.block_number <= indexed AND b.block_number <= final
