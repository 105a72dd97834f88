-- What one address moved in all of the index. Grain: one row, none where it was never seen. Parameters: chain, address (hex without 0x).
-- Sort key: address_segments (chain, address, hour, segment).
SELECT toFloat64(w.transfers_in) AS transfers_in, toFloat64(w.transfers_out) AS transfers_out, w.usd_in AS usd_in, w.usd_out AS usd_out, toFloat64(w.first_block) AS first_block, toFloat64(w.last_block) AS last_block,
  w.first_seen AS first_seen, w.last_seen AS last_seen
FROM wallets AS w
WHERE w.chain = {chain:String} AND w.address = toFixedString(unhex({address:String}), 20)
