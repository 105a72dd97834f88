-- What the venue of a made market says as its leaderboard: every trader that traded, with what was realised over each period (closed results less fees, and funding), by what it put in. Grain: one answer.
-- Parameters: begin (Unix milliseconds), minutes. A third of the traders have a name; names say that they are made.
INSERT INTO made_said
WITH fromUnixTimestamp64Milli(toInt64({begin:UInt64} + toUInt64({minutes:UInt32}) * 60000), 'UTC') AS finish, value -> toString(toDecimal128(toInt64(if(isFinite(value), round(value * 1e6), 0)), 6) / 1000000) AS text,
  earned AS (
    SELECT trader, at, toFloat64(closed_pnl) - toFloat64(fee) AS usd, abs(q) / exp10(sd + pd) * f.px AS traded FROM made_fills AS f INNER JOIN made_coins USING (c)
    UNION ALL SELECT trader, fromUnixTimestamp64Milli(toInt64({begin:UInt64} + toUInt64(hour) * 3600000), 'UTC'), toFloat64(usdc), 0. FROM made_payments
  ),
  sums AS (
    SELECT trader, [sumIf(usd, at > finish - INTERVAL 1 DAY), sumIf(usd, at > finish - INTERVAL 7 DAY), sumIf(usd, at > finish - INTERVAL 30 DAY), sum(usd)] AS pnls,
      [sumIf(traded, at > finish - INTERVAL 1 DAY), sumIf(traded, at > finish - INTERVAL 7 DAY), sumIf(traded, at > finish - INTERVAL 30 DAY), sum(traded)] AS volumes
    FROM earned GROUP BY trader
  ),
  held AS (
    SELECT trader, sum(szi * (joinGet('made_prices', 'px', toUInt32(c * 4194304 + {minutes:UInt32})) - entered)) AS unrealized
    FROM (SELECT trader, c, argMax(before + q, (seq, crossed)) / exp10(any(sd)) AS szi, argMax(f.entry, (seq, crossed)) AS entered FROM made_fills AS f INNER JOIN made_coins USING (c) GROUP BY trader, c) GROUP BY trader
  ),
  came AS (SELECT trader, sumIf(toFloat64(usdc), kind = 'deposit') AS deposited, sum(toFloat64(usdc) * if(kind = 'deposit', 1, -1)) AS money FROM made_flows GROUP BY trader)
SELECT finish, 'info', '{"type":"leaderboard"}', concat('{"leaderboardRows":[', arrayStringConcat(groupArray(listed), ','), ']}')
FROM (
  SELECT concat('{"ethAddress":"0x', lower(hex(t.account)), '","accountValue":"', text(came.money + sums.pnls[4] + held.unrealized AS worth), '","windowPerformances":[',
    arrayStringConcat(arrayMap((period, pnl, volume) -> concat('["', period, '",{"pnl":"', text(pnl), '","roi":"', text(pnl / came.deposited), '","vlm":"', text(volume), '"}]'), ['day', 'week', 'month', 'allTime'], sums.pnls, sums.volumes), ','),
    '],"prize":0,"displayName":', if(t.trader % 3 = 0, concat('"SYN-', toString(t.trader), '"'), 'null'), '}') AS listed
  FROM made_traders AS t INNER JOIN sums ON sums.trader = t.trader INNER JOIN held ON held.trader = t.trader INNER JOIN came ON came.trader = t.trader
  WHERE t.role NOT IN ('maker', 'backstop') ORDER BY worth DESC, t.trader
)
