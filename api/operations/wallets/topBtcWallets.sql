-- Addresses of Bitcoin by what they received and sent in a span, below a rank, with their label as known now: exact, by outputs and by inputs whose output is known.
-- Those of which nothing has a price come last, by satoshis: their ranks are below 0. unpriced: transfers in blocks without a price, in no sum of dollars.
-- Grain: one address. Parameters: chain, first, newest, rank (millionths of a dollar, exact in whatever order they are added) and after (hex
-- without 0x), which together are the position, limit, inner (rows that are looked at for it, 1000 more). Sort keys: btc_outputs, btc_inputs (chain, block_number, …), by both heights; prices (chain, token, block_number).
SELECT concat('0x', lower(hex(w.who))) AS address, toFloat64(w.ins) AS transfers_in, toFloat64(w.outs) AS transfers_out, w.usd_ins AS usd_in, w.usd_outs AS usd_out, toFloat64(greatest(w.ranked, 0)) / 1e6 AS volume_usd, toFloat64(w.blanks) AS unpriced, toString(w.ranked) AS rank,
  w.earliest AS first_seen, w.latest AS last_seen, dictGet('label_of', ('label', 'entity', 'category'), ({chain:String}, address)) AS known,
  known.1 AS label, known.2 AS entity, known.3 AS classification
FROM (
  SELECT toFixedString(substring(SHA256(m.text), 1, 20), 20) AS who, m.ins AS ins, m.outs AS outs, m.usd_ins AS usd_ins, m.usd_outs AS usd_outs, m.blanks AS blanks, m.ranked AS ranked, m.earliest AS earliest, m.latest AS latest
  FROM (
    SELECT s.party AS text, countIf(s.inward) AS ins, countIf(NOT s.inward) AS outs, sumIf(toFloat64(s.value) / 1e8 * p.usd, s.inward) AS usd_ins, sumIf(toFloat64(s.value) / 1e8 * p.usd, NOT s.inward) AS usd_outs,
      countIf(p.usd = 0) AS blanks, sum(toInt128(toFloat64(s.value) / 1e2 * p.usd)) AS worth, if(worth = 0 AND blanks > 0, toInt128(sum(s.value)) - toInt128('9223372036854775808'), worth) AS ranked, min(s.block_time) AS earliest, max(s.block_time) AS latest
    FROM (
      SELECT block_number, block_time, party, value, true AS inward FROM btc_outputs WHERE chain = {chain:String} AND block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND party != ''
      UNION ALL
      SELECT block_number, block_time, party, assumeNotNull(value), false FROM btc_inputs WHERE chain = {chain:String} AND block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND party != '' AND value IS NOT NULL
    ) AS s
    LEFT JOIN (SELECT r.block_number AS block_number, r.usd AS usd FROM prices AS r WHERE r.chain = {chain:String} AND r.token = toFixedString('', 20) AND r.block_number BETWEEN {first:UInt64} AND {newest:UInt64}) AS p ON p.block_number = s.block_number
    GROUP BY text
    HAVING ranked <= {rank:Int128} AND ranked != 0
    ORDER BY ranked DESC
    LIMIT {inner:UInt32} WITH TIES
  ) AS m
  WHERE ranked < {rank:Int128} OR who > toFixedString(unhex({after:String}), 20)
  ORDER BY ranked DESC, who
  LIMIT {limit:UInt32}
) AS w
ORDER BY w.ranked DESC, w.who
