-- Fills not heard before, once each by (time, coin, tid, account) and side, of which a trade with oneself has both; extra tells apart those without a trade id. Grain: one fill.
-- Parameters: chain, from, to, generation. Reads hl_read_fills by (chain, block_number), hl_fills by its sort key at the times of the batch: a batch of
-- old and new things reads what stands at those times, not all between.
INSERT INTO hl_fills (chain, block_number, source, heard_at, coin, market, dex, time, tid, extra, account, side, px, sz, start_position, dir, closed_pnl, hash, oid, crossed, fee, builder_fee, fee_token, twap_id, cloid, liquidated_account, liquidation_mark, liquidation_method, venue_block, generation)
SELECT chain, block_number, source, heard_at, coin, market, dex, time, tid, extra, account, side, px, sz, start_position, dir, closed_pnl, hash, oid, crossed, fee, builder_fee, fee_token, twap_id, cloid, liquidated_account, liquidation_mark, liquidation_method, venue_block, {generation:UInt32} AS generation FROM hl_read_fills AS heard
WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND heard.generation = {generation:UInt32}
  AND (time, coin, tid, extra, account, side) NOT IN (SELECT time, coin, tid, extra, account, side FROM hl_fills AS stored WHERE stored.chain = {chain:String} AND stored.time IN (SELECT time FROM hl_read_fills WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}) AND stored.block_number < {from:UInt64})
ORDER BY block_number, heard_at, source LIMIT 1 BY time, coin, tid, extra, account, side
SETTINGS deduplicate_blocks_in_dependent_materialized_views = 1
