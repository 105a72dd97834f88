-- What went in and out of each exchange as its addresses are known today, whatever was known of them when it moved; moves between its own are not in it.
-- An exchange is an entity with a label of that class, in whatever spelling (letters and digits count, whatever their case; the one of most addresses is shown). Its addresses are those that labels name and, of the others, those where the rule of deposits found that it takes
-- them: what comes to one of those has come in, and that it is swept to another is a move of its own. One whose evidence reaches into blocks that were deleted is none.
-- Dollars are added up in whole millionths: in whatever order, the sum is the same. usd_listed_*: of it, what is the coin's and listed tokens', added up apart: of a token that no list names its own pools say the price.
-- Grain: one exchange. Parameters: chain, first, newest (heights), from (Unix milliseconds, at a full hour), limit.
-- Sort key: address_transfers (chain, address, block_number, …), by the addresses known and both heights; label_changes is read by its columns.
WITH
  deposits AS (
    SELECT l.address AS address, min(l.s.2) AS entity
    FROM (
      SELECT c.chain AS chain, c.address AS address, argMax((c.action != 'removed', c.entity, c.epoch, c.last_block), (c.version, c.at)) AS s, s.3 AS seen
      FROM label_changes AS c
      WHERE c.chain = {chain:String} AND c.source = 'rules' AND c.rule = 'exchange_deposit' AND NOT dictHas('label_of', ({chain:String}, c.address))
      GROUP BY c.chain, c.address, c.label
      HAVING s.1
    ) AS l
    ASOF LEFT JOIN deletion_cuts AS d ON d.chain = l.chain AND d.epoch > l.seen
    WHERE d.epoch = 0 OR l.s.4 < d.cut
    GROUP BY l.address
  ),
  spellings AS (SELECT d.entity AS entity, lower(replaceRegexpAll(d.entity, '[^\\p{L}\\p{N}]', '')) AS own, if(own = '', d.entity, own) AS name, count() AS addresses FROM dictionary(label_of) AS d WHERE d.chain = {chain:String} AND d.category = 'exchange' AND d.entity != '' GROUP BY d.entity),
  exchanges AS (SELECT argMax(s.entity, (s.addresses, s.entity)) AS entity, s.name AS name FROM spellings AS s GROUP BY s.name),
  owned AS MATERIALIZED (
    SELECT k.id AS id, x.entity AS owner
    FROM (
      SELECT toFixedString(unhex(substring(a.address, 3)), 20) AS id, lower(replaceRegexpAll(a.entity, '[^\\p{L}\\p{N}]', '')) AS own, if(own = '', a.entity, own) AS name
      FROM (
        SELECT address, entity FROM dictionary(label_of) WHERE chain = {chain:String} AND entity != '' AND startsWith(address, '0x') AND length(address) = 42
        UNION ALL
        SELECT address, entity FROM deposits
      ) AS a
    ) AS k
    INNER JOIN exchanges AS x ON x.name = k.name
  )
SELECT s.mine AS exchange, toFloat64(sum(s.ins)) AS transfers_in, toFloat64(sum(s.outs)) AS transfers_out,
  toFloat64(sum(s.gained)) AS usd_in, toFloat64(sum(s.lost)) AS usd_out, usd_in - usd_out AS usd_net, toFloat64(sumIf(s.gained, s.listed)) AS usd_listed_in, toFloat64(sumIf(s.lost, s.listed)) AS usd_listed_out
FROM (
  SELECT mine, countIf(direction = 'in') AS ins, countIf(direction = 'out') AS outs, sumIf(usd, direction = 'in') AS gained, sumIf(usd, direction = 'out') AS lost,
    token = toFixedString('', 20) OR dictGet('token_of', 'listed', ({chain:String}, concat('0x', lower(hex(token))))) AS listed
  FROM (
    SELECT m.owner AS mine, o.owner AS theirs, t.token AS token, t.direction AS direction, toDecimal256(least(ifNull(t.value_usd, 0), 1e60), 6) AS usd
    FROM address_transfers AS t
    INNER JOIN owned AS m ON m.id = t.address
    LEFT JOIN owned AS o ON o.id = t.other
    WHERE t.chain = {chain:String} AND t.block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND t.block_time > fromUnixTimestamp64Milli({from:Int64}) AND t.address IN (SELECT id FROM owned)
  )
  WHERE mine != theirs
  GROUP BY mine, token
) AS s
GROUP BY s.mine
ORDER BY usd_in + usd_out DESC, exchange
LIMIT {limit:UInt32}
SETTINGS enable_materialized_cte = 1
