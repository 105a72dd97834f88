-- Fills of a made market as lines of a node's files, by block: who, and the fill as the venue writes it. Grain: one block, which is a moment.
-- A view with parameters: begin, from, to (Unix milliseconds, the last excluded). Reads made_fills by time.
CREATE VIEW made_lines AS
SELECT moment, concat('{"local_time":"', stamp, '","block_time":"', stamp, '","block_number":', toString(500000000 + toUnixTimestamp64Milli(moment) - {begin:UInt64}), ',"events":[', arrayStringConcat(arrayMap(event -> event.2, arraySort(groupArray((place, event)))), ','), ']}') AS line
FROM (
  SELECT f.at AS moment, replaceOne(toString(f.at), ' ', 'T') AS stamp, (f.seq, f.crossed) AS place, substring(hex(SHA256(concat(toString(f.taker), toString(f.at)))), 1, 56) AS digest,
    concat('["0x', lower(hex(t.account)), '",{"coin":"', k.coin, '","px":"', toString(toDecimal128(f.px, 6) / toInt64(exp10(pd))), '","sz":"', toString(toDecimal128(abs(f.q), 6) / toInt64(exp10(sd))), '","side":"', if(f.q > 0, 'B', 'A'), '","time":', toString(toUnixTimestamp64Milli(f.at)),
    ',"startPosition":"', toString(toDecimal128(f.before, 6) / toInt64(exp10(sd))), '","dir":"', f.dir, '","closedPnl":"', toString(f.closed_pnl), '","hash":"0x53594e54', lower(digest), '","oid":', toString(f.oid), ',"crossed":', if(f.crossed, 'true', 'false'), ',"fee":"', toString(f.fee), '","tid":', toString(bitAnd(cityHash64(f.seq), 1125899906842623)), ',"feeToken":"USDC","twapId":null',
      if(f.forced, concat(',"liquidation":{"liquidatedUser":"0x', lower(hex(v.account)), '","markPx":"', toString(toDecimal128(round(f.mark, pd), 6)), '","method":"', if(b.role = 'backstop', 'backstop', 'market'), '"}'), ''), '}]') AS event
  FROM made_fills AS f INNER JOIN made_coins AS k ON k.c = f.c INNER JOIN made_traders AS t ON t.trader = f.trader INNER JOIN made_traders AS v ON v.trader = f.taker INNER JOIN made_traders AS b ON b.trader = f.maker
  WHERE f.at >= fromUnixTimestamp64Milli(toInt64({from:UInt64}), 'UTC') AND f.at < fromUnixTimestamp64Milli(toInt64({to:UInt64}), 'UTC')
)
GROUP BY moment, stamp
