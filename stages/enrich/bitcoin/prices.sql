-- Bitcoin in dollars, from what Ethereum's side says of wrapped bitcoin (0x2260…c599): Chainlink's BTC/USD answers, or its trades.
-- Grain: one block with a price in reach. Parameters: chain, from, to, generation.
-- In reach is the newest such price at or before the block's time and not more than an hour older; nothing later than the block counts, so
-- a block is worth what was known when it was found. An oracle's answer wins over trades where both are of that hour. method: wbtc_chainlink, wbtc_vwap, wbtc_two_hop.
-- Sort keys: blocks (chain, block_number), prices (chain, token, block_number) with its index by time.
INSERT INTO prices (chain, token, block_number, block_time, block_hash, usd, method, trades, depth_usd, generation)
WITH (SELECT (min(block_time), max(block_time)) FROM blocks WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}) AS span,
  sides AS (
    SELECT 'ETH' AS side, method = 'chainlink' AS told, block_time AS at, usd, method, trades, depth_usd FROM prices
    WHERE chain = 'ETH' AND token = unhex('2260fac5e5542a773aa44fbcfedf7c193bc2c599') AND block_time BETWEEN span.1 - INTERVAL 3600 SECOND AND span.2 AND usd > 0
  )
SELECT {chain:String}, toFixedString('', 20), b.block_number, b.block_time, b.block_hash, if(answered, o.usd, m.usd), concat('wbtc_', if(answered, o.method, m.method)),
  if(answered, o.trades, m.trades), if(answered, o.depth_usd, m.depth_usd), {generation:UInt32}
FROM (
  SELECT block_number, block_time, block_hash, 'ETH' AS side, true AS oracle, false AS market FROM blocks
  WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
) AS b
ASOF LEFT JOIN sides AS o ON o.side = b.side AND o.told = b.oracle AND o.at <= b.block_time
ASOF LEFT JOIN sides AS m ON m.side = b.side AND m.told = b.market AND m.at <= b.block_time
WHERE (o.usd > 0 AND o.at >= b.block_time - INTERVAL 3600 SECOND AS answered) OR (m.usd > 0 AND m.at >= b.block_time - INTERVAL 3600 SECOND)
ORDER BY b.block_number
