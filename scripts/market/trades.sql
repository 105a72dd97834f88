-- Trades of a made market: each order of a trip against makers, one after another at prices a step worse. Grain: one trade.
-- Parameters: seed, begin (Unix milliseconds), minutes, traders, makers, slices (makers that one order meets, at most), from, to (traders, the last excluded).
-- A maker meets the same traders again and again, so that what it holds comes back. seq orders trades of one moment.
INSERT INTO made_trades
SELECT toUInt64(ms - {begin:UInt64}) * 1048576 + cityHash64(o.draw, lane, minute, nth, slice) % 1048576 AS seq, fromUnixTimestamp64Milli(toInt64(ms), 'UTC'), c,
  greatest(1, toInt64(round(mark * exp10(pd) * (1 + side * 0.0001)) + side * slice)), intDiv(lots_of * (slice + 1), parts) - intDiv(lots_of * slice, parts) AS lots, side, trader,
  toUInt32(if(forced AND o.draw % 2 = 0, {traders:UInt32} + {makers:UInt32}, {traders:UInt32} + (cityHash64({seed:UInt64}, trader, lane) + slice) % {makers:UInt32})),
  cityHash64(o.draw, lane, minute, nth, 1) % 1000000000000 AS oid, cityHash64(o.draw, lane, minute, nth, 2, slice) % 1000000000000, forced, mark
FROM (
  SELECT trader, lane, c, draw, leg.1 AS minute, leg.2 AS lots_of, toInt8(leg.3) AS side, toBool(leg.4) AS forced, nth, joinGet('made_prices', 'px', toUInt32(c * 4194304 + minute)) AS mark,
    {begin:UInt64} + toUInt64(minute) * 60000 + cityHash64(draw, minute, nth) % 60000 AS ms, toInt64(1 + cityHash64(draw, nth, 3) % {slices:UInt32}) AS parts
  FROM made_trips ARRAY JOIN arrayConcat(arrayMap(open -> (open.1, open.2, toInt16(dir), 0), opens), arrayMap(close -> (close.1, close.2, toInt16(-dir), toUInt8(bust)), closes)) AS leg, arrayEnumerate(arrayConcat(opens, closes)) AS nth
  WHERE trader >= {from:UInt32} AND trader < {to:UInt32}
) AS o INNER JOIN made_coins USING (c) ARRAY JOIN range(toUInt64(parts)) AS slice
WHERE o.minute < {minutes:UInt32} AND lots > 0
