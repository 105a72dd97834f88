-- Money that came and went in a made market: what each began with (enough for what it lost), and what insiders took out. Grain: one movement.
-- Parameters: seed, begin (Unix milliseconds), minutes. Reads made_fills, made_payments. An insider's money comes hours before its first trade and leaves a day after the last of the four it means to make (trips.sql).
INSERT INTO made_flows
WITH lost AS (
  SELECT trader, min(first) AS first, sum(net) AS net FROM (
    SELECT trader, min(at) AS first, sum(toFloat64(closed_pnl) - toFloat64(fee)) AS net FROM made_fills GROUP BY trader
    UNION ALL SELECT trader, fromUnixTimestamp64Milli(4102444800000, 'UTC'), sum(toFloat64(usdc)) FROM made_payments GROUP BY trader
  ) GROUP BY trader
), paid AS (SELECT t.trader AS trader, role, first, ceil(greatest(t.equity, 1000 - 1.2 * net)) AS usdc, net, (cityHash64({seed:UInt64}, t.trader, 4) % 12 + 3) * 8640 + 2600 + 1440 * (cityHash64({seed:UInt64}, t.trader, 6) % 6) AS over FROM made_traders AS t INNER JOIN lost ON lost.trader = t.trader)
SELECT trader, if(role = 'insider', first - INTERVAL 5 HOUR, fromUnixTimestamp64Milli(toInt64({begin:UInt64} + trader % 3600000), 'UTC')), 'deposit', toDecimal128(usdc, 6) FROM paid
UNION ALL
SELECT trader, fromUnixTimestamp64Milli(toInt64({begin:UInt64} + over * 60000), 'UTC'), 'withdraw', toDecimal128(floor((usdc + net) * 0.95), 6) FROM paid WHERE role = 'insider' AND usdc + net > 100 AND over <= {minutes:UInt32}
