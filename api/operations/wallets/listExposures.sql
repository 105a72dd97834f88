-- With which kinds of counterparty an address moved value, the most dollars first.
-- Grain: one class of counterparty. Parameters: chain, address (hex without 0x). Sort key: address_transfers (chain, address, block_number, …).
SELECT class AS classification, toFloat64(count()) AS counterparties, toFloat64(sum(ins)) AS transfers_in, toFloat64(sum(outs)) AS transfers_out, sum(usd_ins) AS usd_in, sum(usd_outs) AS usd_out, toFloat64(sum(blank)) AS unpriced
FROM (
  SELECT other_side, ins, outs, usd_ins, usd_outs, blank, dictGet('label_of', 'category', ({chain:String}, concat('0x', lower(hex(other_side))))) AS class
  FROM (
    SELECT a.other AS other_side, countIf(a.direction = 'in') AS ins, countIf(a.direction = 'out') AS outs, ifNull(sumIf(a.value_usd, a.direction = 'in'), 0) AS usd_ins, ifNull(sumIf(a.value_usd, a.direction = 'out'), 0) AS usd_outs, countIf(isNull(a.value_usd)) AS blank
    FROM address_transfers AS a
    WHERE a.chain = {chain:String} AND a.address = toFixedString(unhex({address:String}), 20) AND a.kind NOT IN ('wrap', 'unwrap')
    GROUP BY other_side
  )
)
GROUP BY class
ORDER BY usd_in + usd_out DESC, classification
