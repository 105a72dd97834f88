-- With which kinds of counterparty an address moved value, the most dollars first; what it paid to itself is of what it moved too, and itself is nobody's kind ('unknown'). What no label says of one, rules may.
-- Only the coin and listed tokens weigh (usd_weighed, unpriced_weighed, confidence): a token that is not listed says what it likes of anybody, at what its maker's pool says. Of what moved to or from a mixer nothing else is told, either.
-- Grain: one class of counterparty. confidence: of what says so, by the value that weighs; null where nobody does or nothing of it has a price. Parameters: chain, address (hex without 0x).
-- Sort keys: address_transfers (chain, address, block_number, …); label_of is in memory; rule_labels (chain, address, label).
WITH (
  SELECT groupArray((concat('0x', lower(hex(id))), ins, outs, usd_ins, usd_outs, blank, sure)) FROM (
    SELECT a.other AS id, a.token = toFixedString('', 20) OR dictGet('token_of', 'listed', ({chain:String}, concat('0x', lower(hex(a.token))))) AS sure, countIf(a.direction = 'in') AS ins, countIf(a.direction = 'out') AS outs, sumIf(toDecimal256(least(ifNull(a.value_usd, 0), 1e60), 6) AS usd, a.direction = 'in') AS usd_ins, sumIf(usd, a.direction = 'out') AS usd_outs, countIf(isNull(a.value_usd)) AS blank
    FROM address_transfers AS a
    WHERE a.chain = {chain:String} AND a.address = toFixedString(unhex({address:String}), 20) AND a.kind NOT IN ('wrap', 'unwrap')
    GROUP BY id, sure
  )
) AS parties
SELECT of.1 AS classification, toFloat64(uniqExact(party.1)) AS counterparties, toFloat64(sum(party.2)) AS transfers_in, toFloat64(sum(party.3)) AS transfers_out, toFloat64(sum(party.4)) AS usd_in, toFloat64(sum(party.5)) AS usd_out, toFloat64(sum(party.6)) AS unpriced,
  toFloat64(sumIf(party.4 + party.5, party.7)) AS usd_weighed, toFloat64(sumIf(party.6, party.7)) AS unpriced_weighed, if(classification = 'unknown' OR usd_weighed = 0, NULL, round(toFloat64(sumIf((party.4 + party.5) * of.2, party.7)) / usd_weighed)) AS confidence
FROM (
  SELECT p.party AS party, multiIf(p.address = concat('0x', {address:String}), ('unknown', 0::UInt8), p.known.1 NOT IN ('', 'unknown'), (toString(p.known.1), p.known.2), r.said.1 != '', (r.said.1, r.said.2), ('unknown', 0::UInt8)) AS of
  FROM (SELECT arrayJoin(parties) AS party, party.1 AS address, dictGet('label_of', ('category', 'sure'), ({chain:String}, address)) AS known) AS p
  LEFT JOIN (
    SELECT d.address AS address, argMax((d.category, d.confidence), (d.rank, d.confidence, d.valid_from, d.label)) AS said FROM rule_labels_now AS d
    WHERE d.chain = {chain:String} AND d.address IN (SELECT arrayJoin(parties.1)) GROUP BY address
  ) AS r ON r.address = p.address
)
WHERE of.1 != 'mixer' OR party.7
GROUP BY classification
ORDER BY usd_in + usd_out DESC, classification
