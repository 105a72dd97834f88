-- What of the rarer things a batch holds, so that statements with nothing to write are not run. Grain: one row; each column counts.
-- Parameters: chain, from, to, floor, generation. Sort keys: swap_legs and logs (chain, block_number, …), prices (chain, token, block_number).
-- A column may count too much, never too little. legs: swaps. answers: of Chainlink's aggregators. uncovered: trades of the coin more than
-- an hour after the newest answer below the batch. hops: trades between two tokens neither of which is the coin or a stablecoin.
WITH (
  SELECT max(block_time) FROM prices
  WHERE chain = {chain:String} AND token = toFixedString('', 20) AND method = 'chainlink'
    AND block_number BETWEEN greatest({floor:UInt64}, if({from:UInt64} > 3600, {from:UInt64} - 3600, 0)) AND {from:UInt64} AND (block_number < {from:UInt64} OR generation = {generation:UInt32})
) AS answered
SELECT legs, uncovered, hops, answers FROM (
  SELECT count() AS legs, countIf(tradable AND coins > 0 AND toUnixTimestamp(block_time) > toUnixTimestamp(answered) + 3600) AS uncovered,
    countIf(tradable AND coins = 0 AND stables = 0) AS hops
  FROM (
    SELECT block_time, trusted AND NOT aggregator AND token_sold_known AND token_bought_known AS tradable,
      arrayCount(t -> t IN (toFixedString('', 20), unhex('c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2')), [token_sold, token_bought]) AS coins,
      arraySum(t -> dictGet('token_of', 'stable', ({chain:String}, concat('0x', lower(hex(t))))), [token_sold, token_bought]) AS stables
    FROM swap_legs WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
  )
) AS traded CROSS JOIN (
  SELECT count() AS answers FROM logs
  WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
    AND address IN (unhex('e62b71cf983019bff55bc83b48601ce8419650cc'), unhex('dbe1941bfbe4410d6865b9b7078e0b49af144d2d'), unhex('da31bc2b08f22ae24aed5f6eb1e71e96867ba196'),
      unhex('789190466e21a8b78b8027866cbbdc151542a26c'), unhex('478238a1c8b862498c74d0647329aef9ea6819ed'))
) AS emitted
