-- Dollar stablecoins are worth a dollar, unless the newest answer of their oracle within the hour is more than half a percent off: then that answer.
-- Grain: one stablecoin at one block in which it moved or was traded and its oracle did not answer (prices_chainlink.sql has those, told by trades > 0).
-- Parameters: chain, from, to, floor, generation. Sort keys: movements (chain, block_number, …), swap_legs (chain, block_number, …), prices (chain, token, block_number).
INSERT INTO prices (chain, token, block_number, block_time, block_hash, usd, method, trades, depth_usd, generation)
WITH a.method = 'chainlink' AND a.block_time >= m.time - INTERVAL 3600 SECOND AS off
SELECT {chain:String}, m.token, m.block_number, m.time, m.hash, if(off, a.usd, 1), if(off, 'chainlink', 'peg'), 0, 0, {generation:UInt32}
FROM (
  SELECT token, block_number, any(block_time) AS time, any(block_hash) AS hash
  FROM (
    SELECT token, block_number, block_time, block_hash FROM movements
    WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND kind = 'erc20'
    UNION ALL
    SELECT arrayJoin([token_sold, token_bought]) AS token, block_number, block_time, block_hash FROM swap_legs
    WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
  )
  WHERE token IN (SELECT address FROM tokens FINAL WHERE chain = {chain:String} AND stable)
  GROUP BY token, block_number
) AS m
ASOF LEFT JOIN (
  SELECT token, block_number, block_time, usd, method FROM prices
  WHERE chain = {chain:String} AND token IN (unhex('a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'), unhex('6b175474e89094c44da98b954eedeac495271d0f')) AND trades > 0
    AND block_number BETWEEN greatest({floor:UInt64}, if({from:UInt64} > 3600, {from:UInt64} - 3600, 0)) AND {to:UInt64} AND (block_number < {from:UInt64} OR generation = {generation:UInt32})
) AS a ON a.token = m.token AND a.block_number <= m.block_number
WHERE a.block_number != m.block_number
ORDER BY m.token, m.block_number
