-- Dollar stablecoins are worth a dollar. Grain: one stablecoin at one block in which it moved or was traded.
-- Parameters: chain, from, to, generation. Sort keys: movements (chain, block_number, …), swap_legs (chain, block_number, …).
INSERT INTO prices (chain, token, block_number, block_time, block_hash, usd, method, trades, depth_usd, generation)
SELECT {chain:String}, token, block_number, any(block_time), any(block_hash), 1, 'peg', 0, 0, {generation:UInt32}
FROM (
  SELECT token, block_number, block_time, block_hash FROM movements
  WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND kind = 'erc20'
  UNION ALL
  SELECT arrayJoin([token_sold, token_bought]) AS token, block_number, block_time, block_hash FROM swap_legs
  WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
)
WHERE token IN (SELECT address FROM tokens FINAL WHERE chain = {chain:String} AND stable)
GROUP BY token, block_number
ORDER BY token, block_number
