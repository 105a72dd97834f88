-- Round trips that the traders of a made market mean to make, whether or not they come to their end. Grain: one trip.
-- Parameters: seed, minutes, from, to (traders, the last excluded). Reads made_prices by minute, also of later than the trip begins: that is the
-- skill or the bad luck a trader is made with, who knows of jumps puts what he won at stake at the next of the four he is there for: a sniper's price goes its way within the hour already. A trip whose margin is gone on the way (looked at 24 times) ends there by force.
INSERT INTO made_trips
WITH (coin, minute) -> joinGet('made_prices', 'px', toUInt32(coin * 4194304 + minute)) AS px
SELECT trader, lane, nth, c, dir, lots, leverage_of, start, if(bust, busts[1], ends), opens, if(bust, [(busts[1], lots)], arrayMap((minute, n) -> (toUInt32(minute), if(n = 2, lots - intDiv(lots, 2), if(two, intDiv(lots, 2), lots))), if(two, [toUInt32(ends - 3), ends], [ends]), if(two, [1, 2], [1]))) AS closes, bust, draw
FROM (
  SELECT *, draw % 3 = 0 AS two, (1 / leverage_of - 1 / (2 * max_leverage)) AS bears,
    multiIf(role = 'directional', [0, 60, 120], role = 'hedger', [0, 10], role = 'steamroller' AND wrong, [0, intDiv(hold, 5), intDiv(hold, 3)], draw % 5 = 0, [0, 7], [0]) AS offsets,
    arrayMap(n -> multiIf(role = 'steamroller' AND wrong, [1, 2, 4][n], 1), arrayEnumerate(offsets)) AS weights, arraySum(weights) AS weighed,
    arrayMap((n, offset) -> (toUInt32(start + offset), if(n = length(offsets), lots - arraySum(w -> intDiv(lots * w, weighed), arraySlice(weights, 1, n - 1)), intDiv(lots * weights[n], weighed))), arrayEnumerate(offsets), offsets) AS opens,
    arraySum(open -> open.2 * px(c, open.1), opens) / lots AS entry,
    arrayFilter(minute -> dir * (px(c, minute) / entry - 1) < -bears, arrayMap(n -> toUInt32(start + offsets[-1] + 1 + intDiv((ends - start - offsets[-1] - 1) * n, 24)), range(24))) AS busts, notEmpty(busts) AS bust
  FROM (
    SELECT *, least(leverage, max_leverage) AS leverage_of, tried[best] AS begins, moves[best] AS moved,
      if(role = 'insider', toUInt32(greatest(5, nth * 8640 + 700 + 1440 * c - 60 - draw % 140)), begins) AS start,
      multiIf(role = 'insider', if(px(c, nth * 8640 + 720 + 1440 * c) > px(c, nth * 8640 + 695 + 1440 * c), 1, -1), role = 'directional', leaning, role = 'hedger', if(lane = 0, leaning, -leaning), if(moved >= 0, 1, -1) * if(wrong, -1, 1)) AS dir,
      toUInt32(if(wrong AND cut > 0, start + cut, start + if(role = 'insider', 200 + draw % 400, hold))) AS ends,
      greatest(60, toInt64(round(notional * stake * (0.8 + draw % 1000 / 2500) * if(role = 'steamroller' AND wrong, 2.5, 1) / px(c, start) * exp10(sd)))) AS lots
    FROM (
      SELECT *, toUInt32(if(role = 'steamroller' AND wrong, 440, hold_min + if(hold_max > hold_min, draw % (hold_max - hold_min), 0))) AS hold, slot - hold - 2 AS room,
        arrayMap(n -> toUInt32(nth * slot + cityHash64({seed:UInt64}, trader, 3) % slot + cityHash64(draw, n) % if(role IN ('directional', 'hedger'), 30, room)), range(tries)) AS tried,
        arrayMap(minute -> px(c, minute + hold) / px(c, minute) - 1, tried) AS moves,
        arrayMap(minute -> px(c, minute + 60) / px(c, minute) - 1, tried) AS firsts,
        arrayMap((move, first) -> multiIf(role = 'steamroller' AND NOT wrong, if(abs(move) BETWEEN 0.0025 AND 0.009, 2 - abs(move) * 100, abs(move)), role = 'sniper' AND sign(first) != sign(move), 0, abs(move)), moves, firsts) AS scores, indexOf(scores, arrayMax(scores)) AS best
      FROM (
        SELECT t.*, toUInt8(lane) AS lane, toUInt32(n + if(role = 'insider', cityHash64({seed:UInt64}, t.trader, 4) % 12, 0)) AS nth, pow(1.7, if(role = 'insider', n, 0)) AS stake, cityHash64({seed:UInt64}, t.trader, if(role IN ('directional', 'hedger'), 0, lane), nth, 'trip') AS draw,
          intDiv(draw, 1000003) % 1000 / 1000. >= right AS wrong, if((cityHash64({seed:UInt64}, t.trader, 5) % 2 = 0) = (intDiv(draw, 17) % 10 < 7), 1, -1) AS leaning,
          toUInt8((cityHash64({seed:UInt64}, t.trader, 6) + if(role = 'insider', 0, lane * 2 + if(role IN ('directional', 'hedger', 'noise', 'loser'), 0, intDiv(draw, 29) % 2))) % 6) AS c
        FROM made_traders AS t ARRAY JOIN range(lanes) AS lane ARRAY JOIN range(if(role = 'insider', 4, intDiv({minutes:UInt32}, slot) + 1)) AS n
        WHERE role NOT IN ('maker', 'backstop') AND trader >= {from:UInt32} AND trader < {to:UInt32}
      )
    ) AS s INNER JOIN made_coins USING (c)
  )
)
WHERE start < {minutes:UInt32}
