-- What an address's direct dealings with risky ones weigh, as riskyWallets.sql scores them: 100 × (1 − Π (1 − weight × share × sure / 100)) over their categories, share being of the priced value it moved, both ways, of the coin and listed tokens: a token that is not listed says what it likes of anybody, at what its maker's pool says.
-- What has no price is in no share, so that the score is the least there is. Dollars are added up exactly, in millionths: in whatever order, the score is the same. Who is risky is said by registers and labels, and, of whom no label knows a class, by rules, as in listExposures.sql.
-- Grain: one row. Parameters: chain (one of accounts), address (hex without 0x), categories and weights (side by side), own_confidence (of the rule, by which the risk of one party is told from another's).
-- Sort keys: address_transfers (chain, address, block_number, …); label_of and token_of are in memory; rule_labels (chain, address, label); designations_now is small and read whole.
WITH (
  SELECT groupArray((id, usd, whole)) FROM (
    SELECT a.other AS id, sumIf(toDecimal256(least(ifNull(a.value_usd, 0), 1e60), 6) AS exact, a.kind NOT IN ('wrap', 'unwrap')) AS usd, sum(exact) AS whole FROM address_transfers AS a
    WHERE a.chain = {chain:String} AND a.address = toFixedString(unhex({address:String}), 20) AND (a.token = toFixedString('', 20) OR dictGet('token_of', 'listed', ({chain:String}, concat('0x', lower(hex(a.token)))))) GROUP BY id
  )
) AS parties,
  arrayFilter(one -> one NOT IN (toFixedString(unhex({address:String}), 20), toFixedString('', 20)), parties.1) AS others
SELECT toFloat64(floor(100 * (1 - arrayProduct(arrayPushBack(arraySort(groupArray(1 - weight * least(1, usd / total) * relied / 100)), 1.))) + 0.5)) AS score
FROM (
  SELECT r.category AS category, transform(category, {categories:Array(String)}, {weights:Array(Float64)}, 0.) AS weight, greatest(toFloat64(arraySum(parties.3)), 1e-9) AS total, toFloat64(sum(p.usd)) AS usd, toFloat64(sum(p.usd * r.sure)) / greatest(usd, 1e-9) AS relied
  FROM (
    SELECT id, said.1 AS category, said.2 AS sure FROM (
      SELECT arrayJoin(others) AS id, dictGet('label_of', ('category', 'sure'), ({chain:String}, concat('0x', lower(hex(id))))) AS known, (toString(known.1), toUInt8(known.2), 0::UInt8) AS said
      UNION ALL
      SELECT toFixedString(unhex(substring(d.address, 3)), 20), ('', toUInt8(0)), argMax((d.category, d.confidence, 0::UInt8), (d.rank, d.confidence, d.valid_from, d.label)) FROM rule_labels_now AS d
      WHERE d.chain = {chain:String} AND d.address IN (SELECT concat('0x', lower(hex(arrayJoin(others))))) AND dictGet('label_of', 'category', ({chain:String}, d.address)) IN ('', 'unknown')
      GROUP BY d.address
      UNION ALL
      SELECT toFixedString(unhex(substring(text, 3)), 20), ('', toUInt8(0)), ('sanctioned', 100::UInt8, 1::UInt8) FROM designations_now AS s ARRAY JOIN arrayPushFront(s.also, s.key) AS text WHERE match(text, '^0x[0-9a-f]{40}$') AND has(others, toFixedString(unhex(substring(text, 3)), 20))
    )
    WHERE has({categories:Array(String)}, said.1)
    ORDER BY said.3 DESC, transform(said.1, {categories:Array(String)}, {weights:Array(Float64)}, 0.) * if(said.2 >= {own_confidence:UInt8}, 1, said.2 / 100) DESC, said.1 LIMIT 1 BY id
  ) AS r
  INNER JOIN (SELECT arrayJoin(parties) AS one, one.1 AS id, one.2 AS usd FROM system.one) AS p ON p.id = r.id
  GROUP BY category
)
