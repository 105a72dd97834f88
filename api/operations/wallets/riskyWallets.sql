-- Addresses that moved value in the index and are of a risky category themselves, or dealt directly with one that is, below a rank, the riskiest first, then by volume.
-- The score is that of risk_rules with direct exposure alone (one hop: decay is 1): 100 × the greater of the address's own and 1 − Π (1 − weight × share × sure / 100),
-- share being of the priced value it moved, both ways, of the coin and listed tokens: one that is not listed says what it likes of anybody, at what its maker's pool says, so it weighs nothing (on Bitcoin with its own change, so the score is a lower bound there). Parties are those of risky addresses with `mostMoves` transfers together (the surest risks first, of equal ones the
-- quieter), of which the `mostParties` with the greatest value are scored. Dollars are added up exactly, in millionths: in whatever order, the score is the same.
-- What parties moved of those tokens is read of those with at most `mostOfParty` transfers, and `mostMoves` together, who dealt with risky addresses in the greatest value first; of the others all that they moved counts (counted: false), so that their scores are lower bounds. Of what moved to or from a mixer unlisted tokens are not even told.
-- Keys of lists are in lower case, which tells no address of Bitcoin: whom a list names there is told by its labels too, which follow it to every text of a key.
-- On Bitcoin they are worked out as in listBtcDealings.sql, from the newest `mostEach` transactions of each and `mostTxs` together: lines that end in "-- rows" are left out there, those in "-- shares" elsewhere. CoinJoins (of confidence 50 and more) are none of them: nobody knows who paid whom.
-- Grain: one address. Parameters: chain, newest (the height), segmentBlocks, categories and weights (side by side), own_confidence (of the rule), least (score),
-- mostMoves, mostParties, mostOfParty, on Bitcoin mostEach and mostTxs, rank (score × 10^30 + millionths of a dollar) and after (address), which together are the position, limit.
-- Sort keys: address_segments (chain, address, hour, segment) for segments that end by the height, address_transfers (chain, address, block_number, …) for the blocks
-- after them and for the parties; label_of and token_of are in memory; rule_labels (chain, address, label) is read for what rules say of whom no label knows a class; designations_now is small and read whole.
-- cut, the same of every row: of some risky addresses, or parties, not everything was looked through, or parties may be left out.
-- Each step is an array that is made once: a subquery with a name is run again wherever it is named. It is planned anew wherever it is named, with all that it names: so each takes along what later ones need, and the last names one.
WITH
  intDiv({newest:UInt64} + 1, {segmentBlocks:UInt64}) AS tail,
  (
    SELECT groupArray((id, label, entity, category, sure, own, listed, confidence)) FROM (
      SELECT toFixedString(unhex(substring(said.1, 3)), 20) AS id, said.2 AS label, said.3 AS entity, said.4 AS category, said.5 AS sure, said.6 AS listed, said.7 AS confidence,
        transform(category, {categories:Array(String)}, {weights:Array(Float64)}, 0.) * if(sure >= {own_confidence:UInt8}, 1, sure / 100) AS own
      FROM (
        SELECT (d.address, d.label, d.entity, d.category, d.sure, 0::UInt8, d.stated) AS said FROM dictionary(label_of) AS d WHERE d.chain = {chain:String} AND has({categories:Array(String)}, d.category)
        UNION ALL
        SELECT (r.address, r.said.1, r.said.2, r.said.3, r.said.4, 0::UInt8, r.said.4) FROM (
          SELECT d.address AS address, argMax((d.label, d.entity, d.category, d.confidence), (d.rank, d.confidence, d.valid_from, d.label)) AS said FROM rule_labels_now AS d
          WHERE d.chain = {chain:String} AND dictGet('label_of', 'category', ({chain:String}, d.address)) IN ('', 'unknown')
            AND d.address IN (SELECT c.address FROM rule_labels AS c WHERE c.chain = {chain:String} AND has({categories:Array(String)}, toString(c.category)))
          GROUP BY address
        ) AS r WHERE has({categories:Array(String)}, r.said.3)
        UNION ALL
        SELECT (if({chain:String} = 'BTC', concat('0x', lower(hex(substring(SHA256(s.address), 1, 20)))), text), s.entity_name, s.entity_name, 'sanctioned', 100::UInt8, 1::UInt8, 60::UInt8) FROM designations_now AS s ARRAY JOIN if({chain:String} = 'BTC', [s.key], arrayPushFront(s.also, s.key)) AS text
        WHERE match(text, '^0x[0-9a-f]{40}$') = ({chain:String} != 'BTC')
        UNION ALL -- shares
        SELECT (l.address, l.label, l.label, 'sanctioned', 100::UInt8, 1::UInt8, 60::UInt8) FROM labels AS l FINAL WHERE l.chain = {chain:String} AND NOT l.removed AND l.source IN (SELECT f.register FROM sanctions_in_force AS f) -- shares
      )
      WHERE match(said.1, '^0x[0-9a-f]{40}$')
      ORDER BY listed DESC, own DESC, label LIMIT 1 BY id
    )
  ) AS risks,
  (
    SELECT groupArray((id, said, looked, partly)) FROM (
      SELECT m.id AS id, r.said AS said, sum(m.moves) OVER (ORDER BY said.6 DESC, m.moves, m.id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) <= {mostMoves:UInt64} AS looked, 0::UInt8 AS partly -- rows
      SELECT m.id AS id, r.said AS said, sum(m.moves) OVER (ORDER BY said.6 DESC, m.moves, m.id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) <= {mostMoves:UInt64} AND sum(least(m.moves, {mostEach:UInt64})) OVER (ORDER BY said.6 DESC, m.moves, m.id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) <= {mostTxs:UInt64} AS looked, m.moves > {mostEach:UInt64} AS partly -- shares
      FROM (
        SELECT v.who AS id, sum(v.moves) AS moves
        FROM (
          SELECT s.address AS who, s.transfers_in + s.transfers_out AS moves FROM address_segments AS s FINAL WHERE s.chain = {chain:String} AND s.segment < tail
          UNION ALL
          SELECT a.address, 1 FROM address_transfers AS a WHERE a.chain = {chain:String} AND a.block_number BETWEEN tail * {segmentBlocks:UInt64} AND {newest:UInt64}
        ) AS v WHERE v.who IN (SELECT arrayJoin(risks).1) GROUP BY id
      ) AS m
      INNER JOIN (SELECT arrayJoin(risks) AS said, said.1 AS id) AS r ON r.id = m.id
    )
  ) AS seen,
  ( -- shares
    SELECT groupUniqArray((block_number, tx_index)) FROM ( -- shares
      SELECT id, block_number, tx_index FROM ( -- shares
        SELECT DISTINCT a.address AS id, a.block_number AS block_number, a.position AS tx_index FROM address_transfers AS a -- shares
        WHERE a.chain = {chain:String} AND a.address IN (SELECT arrayJoin(arrayFilter(one -> one.3 = 1, seen)).1) AND a.block_number <= {newest:UInt64} -- shares
      ) ORDER BY block_number DESC, tx_index DESC LIMIT {mostEach:UInt64} BY id -- shares
    ) -- shares
  ) AS places, -- shares
  (
    SELECT groupArray((id, place, dealt, said, short)) FROM (
      SELECT if(p.place > 0, p.id, s.id) AS id, p.place AS place, p.dealt AS dealt, s.said AS said, max(s.short OR p.place = {mostParties:UInt32}) OVER () AS short FROM (
        SELECT who AS id, arraySort(groupArray((kind, toFloat64(worth), relied, many, blank, odd))) AS dealt, sum(worth) AS touched, row_number() OVER (ORDER BY touched DESC, id) AS place
        FROM (
          SELECT a.other AS who, s.kind AS kind, sumIf(toDecimal256(least(ifNull(a.value_usd, 0), 1e60), 6) AS exact, a.token = toFixedString('', 20) OR dictGet('token_of', 'listed', ({chain:String}, concat('0x', lower(hex(a.token))))) AS named) AS worth, -- rows
            toFloat64(sumIf(exact * s.sure, named)) / greatest(toFloat64(worth), 1e-9) AS relied, count() AS many, countIf(isNull(a.value_usd) AND named) AS blank, countIf(NOT named) AS odd -- rows
          FROM address_transfers AS a INNER JOIN (SELECT arrayJoin(seen) AS one, one.1 AS id, one.2.4 AS kind, one.2.5 AS sure) AS s ON s.id = a.address -- rows
          WHERE a.chain = {chain:String} AND a.address IN (SELECT arrayJoin(arrayFilter(one -> one.3 = 1, seen)).1) AND a.block_number <= {newest:UInt64} AND a.kind NOT IN ('wrap', 'unwrap') AND a.other NOT IN (a.address, toFixedString('', 20)) -- rows
            AND (s.kind != 'mixer' OR named) -- rows
          SELECT m.other AS who, m.kind AS kind, sum(toDecimal256(least(ifNull(m.usd, 0), 1e60), 6) AS exact) AS worth, toFloat64(sum(toDecimal256(toFloat64(exact) * m.sure, 6))) / greatest(toFloat64(worth), 1e-9) AS relied, count() AS many, countIf(isNull(m.usd)) AS blank, toUInt64(0) AS odd -- shares
          FROM ( -- shares
            SELECT party.1 AS other, of.1 AS kind, way.3 AS sure, round(toFloat64(if(blank, NULL, toNullable(intDiv(way.1 * way.2, greatest(whole, 1))))) / 1e8 * rate, 6) AS usd -- shares
            FROM ( -- shares
              SELECT parties, whole, blank, rate, arrayJoin(arrayMap(k -> arrayMap(known -> (k, arraySum(known.2), arraySum(known.3), toFloat64(arraySum(x -> x.2 * x.5, known)) / greatest(toFloat64(arraySum(known.2)), 1), toFloat64(arraySum(x -> x.3 * x.5, known)) / greatest(toFloat64(arraySum(known.3)), 1)), -- shares
                [arrayFilter(x -> x.4 = k, parties)])[1], arrayDistinct(arrayFilter(k -> k != '', parties.4)))) AS of -- shares
              FROM ( -- shares
                SELECT g.block_number AS block_number, groupArray((g.id, g.given, g.taken, s.kind, s.sure)) AS parties, sum(g.given) AS whole, max(g.lost) AS blank -- shares
                FROM ( -- shares
                  SELECT block_number, tx_index, id, toUInt128(sum(gave)) AS given, toUInt128(sum(got)) AS taken, max(unknown) AS lost -- shares
                  FROM ( -- shares
                    SELECT i.block_number AS block_number, i.tx_index AS tx_index, i.party_id AS id, ifNull(i.value, 0) AS gave, toUInt64(0) AS got, i.prevout = 'unresolved' AS unknown FROM btc_inputs AS i -- shares
                    WHERE i.chain = {chain:String} AND i.block_number IN (SELECT arrayJoin(places).1) AND (i.block_number, i.tx_index) IN (SELECT place.1, place.2 FROM (SELECT arrayJoin(places) AS place)) -- shares
                    UNION ALL -- shares
                    SELECT o.block_number, o.tx_index, o.party_id, 0, o.value, 0 FROM btc_outputs AS o -- shares
                    WHERE o.chain = {chain:String} AND o.block_number IN (SELECT arrayJoin(places).1) AND (o.block_number, o.tx_index) IN (SELECT place.1, place.2 FROM (SELECT arrayJoin(places) AS place)) AND o.value > 0 -- shares
                  ) GROUP BY block_number, tx_index, id -- shares
                ) AS g -- shares
                LEFT JOIN (SELECT arrayJoin(seen) AS one, one.1 AS id, one.2.4 AS kind, one.2.5 AS sure) AS s ON s.id = g.id -- shares
                WHERE (g.block_number, g.tx_index) NOT IN (SELECT c.block_number, c.tx_index FROM btc_coinjoins AS c WHERE c.chain = {chain:String} AND c.block_number IN (SELECT arrayJoin(places).1) AND c.confidence >= 50) -- shares
                GROUP BY g.block_number, g.tx_index -- shares
              ) AS t -- shares
              LEFT JOIN (SELECT p.block_number AS block_number, toNullable(p.usd) AS rate FROM prices AS p WHERE p.chain = {chain:String} AND p.token = toFixedString('', 20) AND p.usd > 0 AND p.block_number IN (SELECT arrayJoin(places).1)) AS r ON r.block_number = t.block_number -- shares
            ) -- shares
            ARRAY JOIN parties AS party -- shares
            ARRAY JOIN [(party.3, of.2 - if(party.4 = of.1, party.2, 0), of.4), (party.2, of.3 - if(party.4 = of.1, party.3, 0), of.5)] AS way -- shares
            WHERE party.1 != toFixedString('', 20) AND way.1 > 0 AND way.2 > 0 -- shares
          ) AS m -- shares
          GROUP BY who, kind
        )
        GROUP BY id ORDER BY place LIMIT {mostParties:UInt32}
      ) AS p
      FULL JOIN (SELECT arrayJoin(seen) AS one, one.1 AS id, one.2 AS said, one.3 = 0 OR one.4 = 1 AS short) AS s ON s.id = p.id
    )
  ) AS dealings,
  (
    SELECT groupArray((id, usd, latest, counted, dealt, said, short OR NOT counted)) FROM (
      SELECT u.id AS id, u.usd AS usd, u.latest AS latest, q.dealt AS dealt, q.said AS said, q.short AS short, q.place = 0 OR (u.moves <= {mostOfParty:UInt64} AND sum(if(q.place > 0 AND u.moves <= {mostOfParty:UInt64}, u.moves, 0)) OVER (ORDER BY q.place, u.id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) <= {mostMoves:UInt64}) AS counted -- rows
      SELECT u.id AS id, u.usd AS usd, u.latest AS latest, q.dealt AS dealt, q.said AS said, q.short AS short, true AS counted -- shares
      FROM (
        SELECT v.who AS id, toFloat64(sum(v.usd)) AS usd, max(v.latest) AS latest, sum(v.moves) AS moves
        FROM (
          SELECT s.address AS who, s.usd_in + s.usd_out AS usd, s.last_time AS latest, s.transfers_in + s.transfers_out AS moves FROM address_segments AS s FINAL
          WHERE s.chain = {chain:String} AND s.segment < tail
          UNION ALL
          SELECT a.address, toDecimal256(least(ifNull(a.value_usd, 0), 1e60), 6), a.block_time, 1 FROM address_transfers AS a
          WHERE a.chain = {chain:String} AND a.block_number BETWEEN tail * {segmentBlocks:UInt64} AND {newest:UInt64}
        ) AS v WHERE v.who IN (SELECT arrayJoin(dealings).1) GROUP BY id
      ) AS u
      INNER JOIN (SELECT arrayJoin(dealings) AS one, one.1 AS id, one.2 AS place, one.3 AS dealt, one.4 AS said, one.5 AS short) AS q ON q.id = u.id
    )
  ) AS movers
SELECT address, score, known.1 AS label, known.2 AS entity, known.3 AS classification, itself.8 AS confidence, itself.5 > itself.8 AS official, itself.7 AS listed, own,
  arrayMap(part -> (part.1, if(whole = 0, 0, least(1, part.2 / whole)), toUInt32(part.4), toUInt32(part.5), toUInt32(part.6)), arraySort(part -> (-part.2, part.1), dealt)) AS exposures,
  toFloat64(usd) AS volume_usd, latest AS last_seen, toInt128(score) * toInt128('1000000000000000000000000000000') + toInt128(least(usd, 1e20) * 1e6) AS ranked, toString(ranked) AS rank,
  counted, cut
FROM (
  SELECT concat('0x', lower(hex(w.id))) AS address, w.usd AS usd, w.latest AS latest, w.counted AS counted, w.dealt AS dealt, w.said AS itself, itself.6 AS own, max(w.short) OVER () AS cut,
    if(w.counted, k.usd, w.usd) AS whole, -- rows
    w.usd AS whole, -- shares
    if(own > 0, (itself.2, itself.3, itself.4), dictGet('label_of', ('label', 'entity', 'category'), ({chain:String}, address))) AS known,
    toUInt8(floor(100 * greatest(own, 1 - arrayProduct(arrayPushBack(arrayMap(part -> 1 - if(whole = 0, 0, least(1, part.2 / whole)) * transform(part.1, {categories:Array(String)}, {weights:Array(Float64)}, 0.) * part.3 / 100, dealt), 1.))) + 0.5)) AS score
  FROM (SELECT arrayJoin(movers) AS one, one.1 AS id, one.2 AS usd, one.3 AS latest, one.4 AS counted, one.5 AS dealt, one.6 AS said, one.7 AS short) AS w
  LEFT JOIN ( -- rows
    SELECT a.address AS id, toFloat64(sum(toDecimal256(least(ifNull(a.value_usd, 0), 1e60), 6))) AS usd FROM address_transfers AS a -- rows
    WHERE a.chain = {chain:String} AND a.address IN (SELECT arrayJoin(arrayFilter(one -> one.4 AND notEmpty(one.5), movers)).1) AND a.block_number <= {newest:UInt64} -- rows
      AND (a.token = toFixedString('', 20) OR dictGet('token_of', 'listed', ({chain:String}, concat('0x', lower(hex(a.token)))))) -- rows
    GROUP BY id -- rows
  ) AS k ON k.id = w.id -- rows
)
WHERE score >= {least:UInt8} AND (ranked < {rank:Int128} OR (ranked = {rank:Int128} AND address > {after:String}))
ORDER BY ranked DESC, address
LIMIT {limit:UInt32}
