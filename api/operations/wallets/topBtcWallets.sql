-- Addresses of Bitcoin by what they received and sent in a span, below a rank, with their label as known now: exact, by outputs and by inputs whose output is known.
-- What a transaction gives back to who spends in it (change) is neither: of an address that spends and gets in one transaction the difference counts.
-- Those of which nothing has a price come last, by satoshis: their ranks are below 0. unpriced: transfers in blocks without a price, in no sum of dollars.
-- Grain: one address. Parameters: chain, first, newest, from (Unix milliseconds: a block between the heights may be of before), rank (millionths of a dollar, exact in whatever order they are added) and after (hex
-- without 0x), which together are the position, limit. Sort keys: btc_outputs, btc_inputs (chain, block_number, …), by both heights; prices (chain, token, block_number).
SELECT concat('0x', lower(hex(w.who))) AS address, toFloat64(w.ins) AS transfers_in, toFloat64(w.outs) AS transfers_out, w.usd_ins AS usd_in, w.usd_outs AS usd_out, toFloat64(greatest(w.ranked, 0)) / 1e6 AS volume_usd, toFloat64(w.blanks) AS unpriced, toString(w.ranked) AS rank,
  w.earliest AS first_seen, w.latest AS last_seen, dictGet('label_of', ('label', 'entity', 'category'), ({chain:String}, address)) AS known,
  known.1 AS label, known.2 AS entity, known.3 AS classification
FROM (
  SELECT m.id AS who, m.ins AS ins, m.outs AS outs, m.usd_ins AS usd_ins, m.usd_outs AS usd_outs, m.blanks AS blanks, m.ranked AS ranked, m.earliest AS earliest, m.latest AS latest
  FROM (
    SELECT s.id AS id, countIf(s.net > 0) AS ins, countIf(s.net < 0) AS outs, sumIf(toFloat64(abs(s.net)) / 1e8 * p.usd, s.net > 0) AS usd_ins, sumIf(toFloat64(abs(s.net)) / 1e8 * p.usd, s.net < 0) AS usd_outs,
      countIf(p.usd = 0) AS blanks, sum(toInt128(toFloat64(abs(s.net)) / 1e2 * p.usd)) AS worth, if(worth = 0 AND blanks > 0, toInt128(sum(abs(s.net))) - toInt128('9223372036854775808'), worth) AS ranked, min(s.at) AS earliest, max(s.at) AS latest
    FROM (
      SELECT block_number, id, any(block_time) AS at, sum(moved) AS net FROM (
        SELECT block_number, tx_index, block_time, party_id AS id, toInt64(value) AS moved FROM btc_outputs WHERE chain = {chain:String} AND block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND block_time > fromUnixTimestamp64Milli({from:Int64}) AND party_id != toFixedString('', 20)
        UNION ALL
        SELECT block_number, tx_index, block_time, party_id, -toInt64(assumeNotNull(value)) FROM btc_inputs WHERE chain = {chain:String} AND block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND block_time > fromUnixTimestamp64Milli({from:Int64}) AND party_id != toFixedString('', 20) AND value IS NOT NULL
      ) GROUP BY block_number, tx_index, id HAVING net != 0
    ) AS s
    LEFT JOIN (SELECT r.block_number AS block_number, r.usd AS usd FROM prices AS r WHERE r.chain = {chain:String} AND r.token = toFixedString('', 20) AND r.block_number BETWEEN {first:UInt64} AND {newest:UInt64}) AS p ON p.block_number = s.block_number
    GROUP BY id
    HAVING ranked != 0 AND (ranked < {rank:Int128} OR (ranked = {rank:Int128} AND s.id > toFixedString(unhex({after:String}), 20)))
    ORDER BY ranked DESC, s.id
    LIMIT {limit:UInt32}
  ) AS m
) AS w
ORDER BY w.ranked DESC, w.who
