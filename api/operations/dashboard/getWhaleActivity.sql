-- Movements worth at least min_usd in a span: how many, how much, what of it went in and out of exchanges, and what reached them of which it is not known whether it is their own change.
-- What an exchange moves within itself is neither: both sides are of one entity or, where labels name none, of one label.
-- Nor is anything that comes out of a CoinJoin of confidence 50 and more: who sends it is not known, so what reaches an exchange may be its own.
-- listed: the same of what moved in the coin and in tokens that a list names: of others their own pools say the price. Grain: one row. Parameters: chain, first, newest (heights), from (Unix milliseconds, exclusive: a block of Bitcoin above the first may be dated before it), min_usd. Sort keys: transfers and btc_coinjoins (chain, block_number, …), by both heights; the index of value_usd leaves granules out.
WITH
  t.kind = 'utxo' AND (t.block_number, t.tx_index) IN (SELECT c.block_number, c.tx_index FROM btc_coinjoins AS c WHERE c.chain = {chain:String} AND c.block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND c.confidence >= 50) AS joined,
  t.from_class = 'unresolved' OR joined AS from_nobody,
  t.from_entity != t.to_entity OR (t.to_entity = '' AND t.from_label != t.to_label) AS between_owners,
  t.token = toFixedString('', 20) OR dictGet('token_of', 'listed', ({chain:String}, concat('0x', lower(hex(t.token))))) AS sure
SELECT toFloat64(count()) AS count, toFloat64(sum(toDecimal256(least(ifNull(t.value_usd, 0), 1e60), 6) AS exact)) AS usd, max(t.value_usd) AS largest_usd,
  toFloat64(sumIf(exact, t.to_class = 'exchange' AND NOT from_nobody AND between_owners)) AS exchange_in_usd, toFloat64(sumIf(exact, t.from_class = 'exchange' AND NOT joined AND between_owners)) AS exchange_out_usd,
  toFloat64(sumIf(exact, t.to_class = 'exchange' AND from_nobody)) AS exchange_unknown_usd,
  CAST((countIf(sure), sumIf(exact, sure), maxIf(t.value_usd, sure), sumIf(exact, sure AND t.to_class = 'exchange' AND NOT from_nobody AND between_owners), sumIf(exact, sure AND t.from_class = 'exchange' AND NOT joined AND between_owners)),
    'Tuple(count Float64, usd Float64, largest_usd Nullable(Float64), exchange_in_usd Float64, exchange_out_usd Float64)') AS listed
FROM transfers AS t
WHERE t.chain = {chain:String} AND t.block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND t.block_time > fromUnixTimestamp64Milli({from:Int64}) AND t.value_usd >= {min_usd:Float64} AND t.kind NOT IN ('wrap', 'unwrap')
