-- Payments of funding not heard before, once each by (time, coin, account). Grain: one payment.
-- Parameters: chain, from, to, generation. Reads hl_read_funding_payments by (chain, block_number), hl_funding_payments by its sort key for the accounts and
-- times of the batch, not all between.
INSERT INTO hl_funding_payments (chain, block_number, source, heard_at, coin, market, dex, time, account, usdc, szi, rate, samples, hash, generation)
SELECT chain, block_number, source, heard_at, coin, market, dex, time, account, usdc, szi, rate, samples, hash, {generation:UInt32} AS generation FROM hl_read_funding_payments AS heard
WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND heard.generation = {generation:UInt32}
  AND (time, coin, account) NOT IN (SELECT time, coin, account FROM hl_funding_payments AS stored WHERE stored.chain = {chain:String} AND (stored.account, stored.time) IN (SELECT account, time FROM hl_read_funding_payments WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}) AND stored.block_number < {from:UInt64})
ORDER BY block_number, heard_at, source LIMIT 1 BY time, coin, account
SETTINGS deduplicate_blocks_in_dependent_materialized_views = 1
