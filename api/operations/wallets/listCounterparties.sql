-- With whom an address moved most value: the ten with the most dollars, then the most transfers. Nobody is his own.
-- Dollars are null where nothing that moved that way has a price; unpriced counts what has none.
-- Grain: one counterparty. Parameters: chain, address (hex without 0x). Sort key: address_transfers (chain, address, block_number, …).
SELECT concat('0x', lower(hex(other_side))) AS address, dictGet('label_of', ('label', 'entity', 'category'), ({chain:String}, address)) AS known, known.1 AS label, known.2 AS entity, known.3 AS classification,
  toFloat64(ins) AS transfers_in, toFloat64(outs) AS transfers_out, if(ins > 0 AND ins = blank_ins, NULL, toFloat64(usd_ins)) AS usd_in, if(outs > 0 AND outs = blank_outs, NULL, toFloat64(usd_outs)) AS usd_out, toFloat64(blank_ins + blank_outs) AS unpriced
FROM (
  SELECT a.other AS other_side, countIf(a.direction = 'in') AS ins, countIf(a.direction = 'out') AS outs, sumIf(toDecimal256(least(ifNull(a.value_usd, 0), 1e60), 6) AS usd, a.direction = 'in') AS usd_ins, sumIf(usd, a.direction = 'out') AS usd_outs,
    countIf(a.direction = 'in' AND isNull(a.value_usd)) AS blank_ins, countIf(a.direction = 'out' AND isNull(a.value_usd)) AS blank_outs
  FROM address_transfers AS a
  WHERE a.chain = {chain:String} AND a.address = toFixedString(unhex({address:String}), 20) AND a.kind NOT IN ('wrap', 'unwrap') AND a.other != a.address
  GROUP BY other_side ORDER BY usd_ins + usd_outs DESC, ins + outs DESC, other_side LIMIT 10
)
ORDER BY usd_ins + usd_outs DESC, transfers_in + transfers_out DESC, address
