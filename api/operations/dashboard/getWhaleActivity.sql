-- Movements worth at least min_usd in a span: how many, how much, what of it went in and out of exchanges, and what reached them of which it is not known whether it is their own change.
-- What an exchange moves within itself is neither: both sides are of one entity or, where labels name none, of one label.
-- Grain: one row. Parameters: chain, first, newest, min_usd. Sort key: transfers (chain, block_number, …), by both heights; the index of value_usd leaves granules out.
WITH t.from_entity != t.to_entity OR (t.to_entity = '' AND t.from_label != t.to_label) AS between_owners
SELECT toFloat64(count()) AS count, toFloat64(sum(toDecimal256(least(ifNull(t.value_usd, 0), 1e60), 6) AS exact)) AS usd, max(t.value_usd) AS largest_usd,
  toFloat64(sumIf(exact, t.to_class = 'exchange' AND t.from_class != 'unresolved' AND between_owners)) AS exchange_in_usd, toFloat64(sumIf(exact, t.from_class = 'exchange' AND between_owners)) AS exchange_out_usd,
  toFloat64(sumIf(exact, t.to_class = 'exchange' AND t.from_class = 'unresolved')) AS exchange_unknown_usd
FROM transfers AS t
WHERE t.chain = {chain:String} AND t.block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND t.value_usd >= {min_usd:Float64} AND t.kind NOT IN ('wrap', 'unwrap')
