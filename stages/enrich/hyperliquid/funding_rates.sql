-- Rates of funding not heard before, once each by (time, coin). Grain: one rate.
-- Parameters: chain, from, to, generation. Reads hl_read_funding_rates by (chain, block_number), hl_funding_rates by its sort key for the coins and times of the
-- batch, not all between.
INSERT INTO hl_funding_rates (chain, block_number, source, heard_at, coin, market, dex, time, rate, premium, generation)
SELECT chain, block_number, source, heard_at, coin, market, dex, time, rate, premium, {generation:UInt32} AS generation FROM hl_read_funding_rates AS heard
WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND heard.generation = {generation:UInt32}
  AND (time, coin) NOT IN (SELECT time, coin FROM hl_funding_rates AS stored WHERE stored.chain = {chain:String} AND (stored.coin, stored.time) IN (SELECT coin, time FROM hl_read_funding_rates WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}) AND stored.block_number < {from:UInt64})
ORDER BY block_number, heard_at, source LIMIT 1 BY time, coin
