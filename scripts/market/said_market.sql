-- What the venue of a made market says of its coins: contexts by the hour and every ten minutes of the last day, middle prices every ten minutes, rates,
-- candles of hours, books of the last hour. Grain: one answer or message. Parameters: begin (Unix milliseconds), minutes.
INSERT INTO made_said
WITH toUInt64({begin:UInt64}) AS b, (coin, minute) -> joinGet('made_prices', 'px', toUInt32(coin * 4194304 + minute)) AS px, minute -> fromUnixTimestamp64Milli(toInt64({begin:UInt64} + toUInt64(minute) * 60000), 'UTC') AS when,
  (value, places) -> toString(toDecimal128(toString(round(value, places)), 8)) AS text,
  flow AS (SELECT c, minute, sum(d) OVER w AS held, sum(usd) OVER w AS traded FROM (
    SELECT c, toUInt32(intDiv(toUnixTimestamp64Milli(at) - {begin:UInt64}, 60000)) AS minute, sum(abs(before + q) - abs(before)) / 2 AS d, sumIf(abs(q) / 1. * px, crossed) AS usd FROM made_fills GROUP BY c, minute
  ) WINDOW w AS (PARTITION BY c ORDER BY minute)),
  moments AS (SELECT toUInt32(number) AS minute FROM numbers(1, toUInt64({minutes:UInt32}) - 1) WHERE number % 60 = 1 OR (number + 1440 > {minutes:UInt32} AND number % 10 = 1))
SELECT when(m.minute), 'info', '{"type":"metaAndAssetCtxs"}', concat('[{"universe":[', arrayStringConcat(groupArray(listed), ','), '],"marginTables":[],"collateralToken":0},[', arrayStringConcat(groupArray(context), ','), ']]')
FROM (
  SELECT m.minute, k.c, concat('{"szDecimals":', toString(sd), ',"name":"', coin, '","maxLeverage":', toString(max_leverage), ',"marginTableId":', toString(max_leverage), '}') AS listed,
    concat('{"dayNtlVlm":"', text((now.traded - past.traded) / exp10(sd + pd), 2), '","prevDayPx":"', text(px(k.c, if(m.minute > 1440, m.minute - 1440, 0)), pd), '","markPx":"', text(px(k.c, m.minute), pd), '","midPx":"', text(px(k.c, m.minute), pd + 1), '","funding":"', toString(r.rate), '","openInterest":"', text(now.held / exp10(sd), sd),
      '","premium":"', toString(r.premium), '","oraclePx":"', text(px(k.c, m.minute) * 1.00005, pd), '","impactPxs":["', text(px(k.c, m.minute) * 0.9999, pd), '","', text(px(k.c, m.minute) * 1.0001, pd), '"],"dayBaseVlm":"', text((now.traded - past.traded) / exp10(sd + pd) / px(k.c, m.minute), sd), '"}') AS context
  FROM moments AS m CROSS JOIN made_coins AS k
  ASOF LEFT JOIN flow AS now ON now.c = k.c AND now.minute <= m.minute
  ASOF LEFT JOIN (SELECT c, minute + 1440 AS minute, traded FROM flow) AS past ON past.c = k.c AND past.minute <= m.minute
  LEFT JOIN made_rates AS r ON r.c = k.c AND r.hour = intDiv(m.minute, 60)
  ORDER BY k.c
) AS m GROUP BY m.minute
UNION ALL
SELECT when(number * 10), 'ws', '{}', concat('{"channel":"allMids","data":{"mids":{', arrayStringConcat(arrayMap(k -> concat('"', k.1, '":"', text(px(k.2, toUInt32(number * 10)), k.3 + 1), '"'), coins), ','), '}}}')
FROM numbers(toUInt64(intDiv({minutes:UInt32}, 10))) AS n CROSS JOIN (SELECT arraySort(groupArray((coin, c, pd))) AS coins FROM made_coins) AS all
UNION ALL
SELECT when({minutes:UInt32}), 'info', concat('{"type":"fundingHistory","coin":"', coin, '"}'), concat('[', arrayStringConcat(groupArray(concat('{"coin":"', coin, '","fundingRate":"', toString(rate), '","premium":"', toString(premium), '","time":', toString(b + toUInt64(hour) * 3600000), '}')), ','), ']')
FROM (SELECT * FROM made_rates INNER JOIN made_coins USING (c) ORDER BY c, hour) GROUP BY coin
UNION ALL
SELECT when({minutes:UInt32}), 'info', '{"type":"predictedFundings"}', concat('[', arrayStringConcat(groupArray(concat('["', coin, '",[["HlPerp",{"fundingRate":"', toString(rate), '","nextFundingTime":', toString(intDiv(b + toUInt64({minutes:UInt32}) * 60000, 3600000) * 3600000 + 3600000), ',"fundingIntervalHours":1}],["BinPerp",{"fundingRate":"', toString(rate * 8), '","nextFundingTime":', toString(intDiv(b + toUInt64({minutes:UInt32}) * 60000, 28800000) * 28800000 + 28800000), ',"fundingIntervalHours":8}]]]')), ','), ']')
FROM (SELECT coin, argMax(r.rate, hour) AS rate FROM made_rates AS r INNER JOIN made_coins USING (c) GROUP BY coin)
UNION ALL
SELECT when(least({minutes:UInt32}, max(hour) * 60 + 60)), 'info', concat('{"type":"candleSnapshot","req":{"coin":"', coin, '","interval":"1h"}}'), concat('[', arrayStringConcat(groupArray(candle), ','), ']')
FROM (
  SELECT coin, hour, arrayMap(n -> px(k.c, toUInt32(hour * 60 + n)), range(60)) AS p, concat('{"t":', toString(b + hour * 3600000), ',"T":', toString(b + hour * 3600000 + 3599999), ',"s":"', coin, '","i":"1h","o":"', text(p[1], pd), '","c":"', text(p[60], pd), '","h":"', text(arrayMax(p), pd), '","l":"', text(arrayMin(p), pd), '","v":"', text(v / exp10(sd), sd), '","n":', toString(n), '}') AS candle
  FROM (SELECT c, toUInt64(intDiv(toUnixTimestamp64Milli(at) - {begin:UInt64}, 3600000)) AS hour, sum(lots) AS v, count() AS n FROM made_trades GROUP BY c, hour HAVING hour + 1 <= intDiv({minutes:UInt32}, 60)) AS k INNER JOIN made_coins USING (c) ORDER BY coin, hour
) GROUP BY coin, intDiv(hour, 1000)
UNION ALL
SELECT when(minute), 'info', concat('{"type":"l2Book","coin":"', coin, '"}'), concat('{"coin":"', coin, '","time":', toString(b + toUInt64(minute) * 60000), ',"levels":[[', level[1], '],[', level[2], ']]}')
FROM (SELECT c, coin, pd, sd, base, minute, arrayMap(side -> arrayStringConcat(arrayMap(n -> concat('{"px":"', text(px(c, minute) + side * n / exp10(pd), pd), '","sz":"', text((2000 + cityHash64(c, minute, n, side) % 90000) / base, sd), '","n":', toString(1 + n % 5), '}'), range(1, 21)), ','), [-1, 1]) AS level
  FROM made_coins CROSS JOIN (SELECT toUInt32({minutes:UInt32} - 60 + 10 * number) AS minute FROM numbers(7)) AS m)
