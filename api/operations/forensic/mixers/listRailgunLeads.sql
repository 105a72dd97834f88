-- Who may be on the other side of an address's use of Railgun: leads, no proof. Grain: one address under one rule, with or without a matching amount. Parameters: chain, address (hex without 0x), upto (height),
-- hours, uses (of the address's own, the newest). Railgun is one pool for all amounts, so a deposit and a withdrawal belong together by asset (the coin and its wrapping are one), time and, best, amount:
-- what came out is what went in less its fees, at most 1 %. reuse: the address itself is on both sides. linked: one it dealt with directly, within `hours`. amount: any other within `hours` whose amount matches.
-- Only the coin and listed tokens count, in uses as in dealings: one that is not listed says what it likes of anybody.
-- others: addresses on that side of those assets within `hours`. Sort key: address_transfers (chain, address, block_number, …); labels are read for their few of Railgun.
WITH
  contracts AS MATERIALIZED (SELECT toFixedString(unhex(substring(l.address, 3)), 20) AS contract FROM labels AS l FINAL WHERE l.chain = {chain:String} AND l.entity = 'railgun' AND l.category = 'mixer' AND NOT l.removed),
  moved AS MATERIALIZED (
    SELECT p.address AS contract, p.direction = 'in' AS deposited, if(p.token = toFixedString(unhex('c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'), 20), toFixedString('', 20), p.token) AS asset, p.other AS party, p.amount AS amount, p.block_time AS at, p.tx_hash AS tx_hash
    FROM address_transfers AS p
    WHERE p.chain = {chain:String} AND p.address IN (SELECT contract FROM contracts) AND p.other NOT IN (SELECT contract FROM contracts) AND p.block_number <= {upto:UInt64} AND p.amount > 0 AND p.amount < bitShiftLeft(toUInt256(1), 200)
      AND p.kind NOT IN ('erc721', 'erc1155', 'wrap', 'unwrap') AND (p.token = toFixedString('', 20) OR dictGet('token_of', 'listed', ({chain:String}, concat('0x', lower(hex(p.token))))))
  ),
  used AS MATERIALIZED (SELECT NOT m.deposited AS withdrew, m.asset AS asset, m.amount AS amount, m.at AS at, m.tx_hash AS tx_hash FROM moved AS m WHERE m.party = toFixedString(unhex({address:String}), 20) ORDER BY m.at DESC LIMIT {uses:UInt32}),
  dealt AS MATERIALIZED (
    SELECT DISTINCT a.other AS party FROM address_transfers AS a
    WHERE a.chain = {chain:String} AND a.address = toFixedString(unhex({address:String}), 20) AND a.block_number <= {upto:UInt64} AND a.amount > 0 AND a.other != toFixedString('', 20) AND (a.token = toFixedString('', 20) OR dictGet('token_of', 'listed', ({chain:String}, concat('0x', lower(hex(a.token))))))
      AND dictGet('label_of', 'category', ({chain:String}, concat('0x', lower(hex(a.other))))) = 'unknown'
  ),
  sides AS MATERIALIZED (
    SELECT m.deposited AS deposited, m.asset AS asset, m.party AS party, m.amount AS amount, m.at AS at, toDate(m.at) AS day, m.tx_hash AS tx_hash FROM moved AS m
    WHERE m.asset IN (SELECT asset FROM used) AND dictGet('label_of', 'category', ({chain:String}, concat('0x', lower(hex(m.party))))) = 'unknown'
  ),
  near AS (
    SELECT u.withdrew AS withdrew, s.party AS party, u.asset AS asset, u.tx_hash AS mine, s.tx_hash AS other, abs(dateDiff('second', s.at, u.at)) AS apart,
      if(u.withdrew, u.amount <= s.amount AND u.amount * 100 >= s.amount * 99, s.amount <= u.amount AND s.amount * 100 >= u.amount * 99) AS matched
    FROM (SELECT *, arrayJoin(arrayMap(d -> toDate(used.at) + if(used.withdrew, -d, d), range(intDiv({hours:UInt32}, 24) + 2))) AS day FROM used) AS u INNER JOIN sides AS s ON s.asset = u.asset AND s.day = u.day
    WHERE s.deposited = u.withdrew AND if(u.withdrew, s.at < u.at, s.at > u.at) AND apart <= {hours:UInt32} * 3600 AND s.party != toFixedString(unhex({address:String}), 20)
  ),
  both AS (
    SELECT u.withdrew AS withdrew, toFixedString(unhex({address:String}), 20) AS party, u.asset AS asset, u.tx_hash AS mine, s.tx_hash AS other, abs(dateDiff('second', s.at, u.at)) AS apart,
      if(u.withdrew, u.amount <= s.amount AND u.amount * 100 >= s.amount * 99, s.amount <= u.amount AND s.amount * 100 >= u.amount * 99) AS matched
    FROM used AS u INNER JOIN used AS s ON s.asset = u.asset WHERE s.withdrew != u.withdrew AND if(u.withdrew, s.at < u.at, s.at > u.at)
  )
SELECT l.rule AS rule, concat('0x', lower(hex(l.party))) AS address, if(l.withdrew, 'deposit', 'withdrawal') AS side, toFloat64(l.assets) AS pools, toFloat64(l.matches) AS matches, concat('0x', lower(hex(l.own))) AS own_tx, concat('0x', lower(hex(l.theirs))) AS other_tx,
  round(l.seconds / 3600, 2) AS hours_apart, toFloat64(c.others) AS others, toFloat64(count() OVER (PARTITION BY l.rule, l.withdrew, l.matched)) AS alike, toNullable(CAST(l.matched, 'Bool')) AS amounts_match
FROM (
  SELECT rule, withdrew, party, max(p.matched) AS matched, uniqExact(p.asset) AS assets, uniqExact(p.mine) AS matches, argMin(p.mine, (NOT p.matched, p.apart)) AS own, argMin(p.other, (NOT p.matched, p.apart)) AS theirs, argMin(p.apart, (NOT p.matched, p.apart)) AS seconds
  FROM (
    SELECT 'railgun_reuse' AS rule, * FROM both
    UNION ALL
    SELECT if(party IN (SELECT party FROM dealt), 'railgun_linked', 'railgun_amount') AS rule, * FROM near WHERE matched OR party IN (SELECT party FROM dealt)
  ) AS p
  GROUP BY rule, withdrew, party
) AS l
LEFT JOIN (SELECT withdrew, uniqExact(party) AS others FROM near GROUP BY withdrew) AS c ON c.withdrew = l.withdrew
ORDER BY l.rule DESC, l.matched DESC, hours_apart, address
LIMIT 100
SETTINGS enable_materialized_cte = 1
