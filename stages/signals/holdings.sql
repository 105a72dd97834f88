-- What accounts hold and have dealt when a look begins: what stood at the look before, with the fills that came in since and less those that went out of the days that count; without one, of all fills of these
-- days. Grain: one account and coin that changed, or all of them where the look is a base. Parameters: chain, from_time, to_time (Unix seconds), through. Sort keys: hl_holding_looks (chain, look), hl_holdings (chain, base, account, coin, look), hl_fills (chain, time, …).
-- A fill came in since where it is known now and was not then: told in a later segment, known later, or of a time that was too far ahead. Fills of one moment have no order of their own: what was held
-- before them is where one starts and none ends; where they end where they began, the first by its id.
INSERT INTO hl_holdings (chain, base, look, account, coin, moment, fills, held, usd, profit, at)
WITH
  toDateTime({from_time:UInt32}, 'UTC') AS first, toDateTime({to_time:UInt32}, 'UTC') AS last, (SELECT argMax(least, revision) FROM hl_signal_rules WHERE kind = 'bars') AS numbers, toIntervalSecond(toUInt32(numbers['recorded_minutes'] * 60)) AS late, first - toIntervalDay(toUInt32(numbers['smart_days'])) AS oldest,
  (SELECT any((l.base, ifNull(l.prior, toDateTime('2020-01-01 00:00:00', 'UTC')), l.prior_base, l.prior_until, l.prior_through)) FROM hl_holding_looks AS l WHERE l.chain = {chain:String} AND l.look = first) AS way,
  way.1 AS base, way.2 AS prior, prior - toIntervalDay(toUInt32(numbers['smart_days'])) AS prior_oldest, way.4 AS prior_until, way.5 AS prior_through,
  read AS (
    SELECT account, toString(coin) AS coin, time, tid, extra, start_position AS before, if(side = 'buy', sz, -sz) AS change, toDecimal256(px, 18) * toDecimal256(sz, 18) AS usd, closed_pnl - fee AS profit, if(heard_at > time + late, time, heard_at) AS known,
      block_number <= prior_through AND known < prior AS told, known < first AND time >= oldest AND NOT (told AND time < prior_until + INTERVAL 1 DAY) AS enters, toInt8(known < first AND time >= oldest AND time < first) - toInt8(told AND time >= prior_oldest AND time < prior) AS counts
    FROM (
      SELECT * FROM hl_fills WHERE chain = {chain:String} AND market = 'perp' AND block_number <= {through:UInt64} AND time >= greatest(prior - late, oldest) AND time < last + INTERVAL 1 DAY
      UNION ALL SELECT * FROM hl_fills WHERE chain = {chain:String} AND market = 'perp' AND block_number <= {through:UInt64} AND block_number > prior_through AND time >= oldest AND time < prior - late
      UNION ALL SELECT * FROM hl_fills WHERE chain = {chain:String} AND market = 'perp' AND block_number <= prior_through AND time >= prior_oldest AND time < least(oldest, prior)
    ) WHERE enters OR counts != 0
  ),
  stood AS (
    SELECT h.account AS account, toString(h.coin) AS coin, argMax((h.moment, h.fills, h.usd, h.profit), h.look) AS state FROM hl_holdings AS h
    WHERE h.chain = {chain:String} AND h.base = way.3 AND h.look <= prior AND (way.1 = first OR (h.account, h.coin) IN (SELECT account, coin FROM read)) GROUP BY h.account, h.coin HAVING state.1 >= prior_oldest
  )
SELECT {chain:String}, base, first, account, coin, moment, fills, left_with, dealt, earned, now('UTC')
FROM (
  SELECT account, coin, arrayMax(one -> one.1, pieces) AS moment, arraySort(arrayFlatten(arrayMap(one -> if(one.1 = moment, one.2, []), pieces))) AS fills, arrayMap(one -> one.3, fills) AS befores, arrayMap(one -> one.3 + one.4, fills) AS afters, dealt, earned,
    arrayFirst((b, place) -> place = length(befores) + 1 OR countEqual(befores, b) > countEqual(afters, b), arrayPushBack(befores, befores[1]), arrayEnumerate(arrayPushBack(befores, befores[1]))) + arraySum(one -> one.4, fills) AS left_with
  FROM (
    SELECT account, coin, groupArrayIf((at, parts), notEmpty(parts)) AS pieces, sum(usd) AS dealt, sum(profit) AS earned
    FROM (
      SELECT account, coin, state.1 AS at, state.2 AS parts, state.3 AS usd, state.4 AS profit FROM stood
      UNION ALL
      SELECT account, coin, time, if(enters AND (account, coin, time) IN (SELECT account, coin, max(time) FROM read WHERE enters GROUP BY account, coin), [(tid, extra, before, change)], []), usd * counts, profit * counts FROM read
    ) GROUP BY account, coin
  ) WHERE notEmpty(pieces)
) WHERE moment >= oldest
ORDER BY account, coin
