-- Bitcoin in dollars, from what Ethereum's side says of wrapped bitcoin (0x2260…c599): Chainlink's BTC/USD answers, or its trades; where neither is in reach, from the oracle of the perps venue.
-- Grain: one block with a price in reach. Parameters: chain, from, to, generation.
-- In reach is the newest such price at or before the block's time and not more than an hour older; nothing later than the block counts, so
-- a block is worth what was known when it was found. An answer of Chainlink wins over trades where both are of that hour, and both win over the venue. method: wbtc_chainlink, wbtc_vwap, wbtc_two_hop, hyperliquid_oracle.
-- What lands later than the block was worked on changes nothing of it; worked on anew, it is worth what is there by then. What the venue said is kept for 62 days, so an older block that is worked on anew has none of it.
-- Sort keys: blocks (chain, block_number), prices (chain, token, block_number) with its index by time; hl_contexts (chain, dex, coin, time): only what names the coin, not what a list tells by its place; of two at one time the greater.
INSERT INTO prices (chain, token, block_number, block_time, block_hash, usd, method, trades, depth_usd, generation)
WITH (SELECT (min(block_time), max(block_time)) FROM blocks WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}) AS span,
  sides AS (
    SELECT 'ETH' AS side, method = 'chainlink' AS told, block_time AS at, usd, method, trades, depth_usd FROM prices
    WHERE chain = 'ETH' AND token = unhex('2260fac5e5542a773aa44fbcfedf7c193bc2c599') AND block_time BETWEEN span.1 - INTERVAL 3600 SECOND AND span.2 AND usd > 0
  ),
  venue AS (
    SELECT 'ETH' AS side, x.time AS at, assumeNotNull(max(x.oracle_px)) AS px FROM hl_contexts AS x
    WHERE x.chain = 'HL' AND x.dex = '' AND x.coin = 'BTC' AND x.market = 'perp' AND x.time BETWEEN span.1 - INTERVAL 3600 SECOND AND span.2 AND x.oracle_px > 0
    GROUP BY at
  )
SELECT {chain:String}, toFixedString('', 20), b.block_number, b.block_time, b.block_hash, multiIf(answered, o.usd, traded, m.usd, toFloat64(toString(v.px))), multiIf(answered, concat('wbtc_', o.method), traded, concat('wbtc_', m.method), 'hyperliquid_oracle'),
  multiIf(answered, o.trades, traded, m.trades, 1), multiIf(answered, o.depth_usd, traded, m.depth_usd, 0), {generation:UInt32}
FROM (
  SELECT block_number, block_time, block_hash, 'ETH' AS side, true AS oracle, false AS market FROM blocks
  WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
) AS b
ASOF LEFT JOIN sides AS o ON o.side = b.side AND o.told = b.oracle AND o.at <= b.block_time
ASOF LEFT JOIN sides AS m ON m.side = b.side AND m.told = b.market AND m.at <= b.block_time
ASOF LEFT JOIN venue AS v ON v.side = b.side AND v.at <= b.block_time
WHERE (o.usd > 0 AND o.at >= b.block_time - INTERVAL 3600 SECOND AS answered) OR (m.usd > 0 AND m.at >= b.block_time - INTERVAL 3600 SECOND AS traded) OR (v.px > 0 AND v.at >= b.block_time - INTERVAL 3600 SECOND)
ORDER BY b.block_number
