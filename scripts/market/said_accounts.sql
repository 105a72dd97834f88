-- What the venue of a made market says of accounts when asked: margin and open positions (of the `asked` busiest), funding paid (of them), and money that came and went
-- (of all). Grain: one answer. Parameters: begin (Unix milliseconds), minutes, asked. A position's liquidation price follows the venue's formula for isolated margin.
INSERT INTO made_said
WITH fromUnixTimestamp64Milli(toInt64({begin:UInt64} + toUInt64({minutes:UInt32}) * 60000), 'UTC') AS now, value -> toString(toDecimal128(toInt64(if(isFinite(value), round(value * 1e6), 0)), 6) / 1000000) AS text,
  asked AS (SELECT trader, account, leverage FROM made_traders WHERE trader IN (SELECT trader FROM made_fills WHERE trader IN (SELECT trader FROM made_traders WHERE role NOT IN ('maker', 'backstop')) GROUP BY trader ORDER BY sum(abs(toFloat64(closed_pnl))) DESC, trader LIMIT {asked:UInt32})),
  books AS (
    SELECT trader, groupArrayIf(concat('{"type":"oneWay","position":{"coin":"', coin, '","szi":"', text(szi), '","leverage":{"type":"isolated","value":', toString(lev), ',"rawUsd":"', text(margin + pnl - szi * mark), '"},"entryPx":"', text(entry), '","positionValue":"', text(abs(szi) * mark), '","unrealizedPnl":"', text(pnl),
        '","returnOnEquity":"', text(pnl * lev / (entry * abs(szi))), '","liquidationPx":', if(liq > 0, concat('"', text(liq), '"'), 'null'), ',"marginUsed":"', text(margin + pnl), '","maxLeverage":', toString(max_leverage), ',"cumFunding":{"allTime":"0","sinceOpen":"0","sinceChange":"0"}}}'), szi != 0) AS positions,
      sumIf(margin, szi != 0) AS margins, sumIf(pnl, szi != 0) AS unrealized, sumIf(abs(szi) * mark, szi != 0) AS value, sumIf(szi * mark, szi != 0) AS net, sum(realised) AS realised
    FROM (
      SELECT trader, coin, max_leverage, least(leverage, max_leverage) AS lev, argMax(before + q, seq) / exp10(any(sd)) AS szi, argMax(f.entry, seq) AS entry, joinGet('made_prices', 'px', toUInt32(any(c) * 4194304 + {minutes:UInt32})) AS mark, szi * (mark - entry) AS pnl, abs(szi) * entry / lev AS margin,
        mark - if(szi > 0, 1, -1) * (margin + pnl - abs(szi) * mark / (2 * max_leverage)) / abs(szi) / (1 - if(szi > 0, 1, -1) / (2 * max_leverage)) AS liq, sum(toFloat64(closed_pnl) - toFloat64(fee)) AS realised
      FROM made_fills AS f INNER JOIN made_coins USING (c) INNER JOIN asked USING (trader) GROUP BY trader, coin, max_leverage, leverage
    ) GROUP BY trader
  ),
  paid AS (SELECT trader, sum(toFloat64(usdc)) AS usdc FROM made_payments GROUP BY trader), came AS (SELECT trader, sum(toFloat64(usdc) * if(kind = 'deposit', 1, -1)) AS usdc FROM made_flows GROUP BY trader)
SELECT now, 'info', concat('{"type":"clearinghouseState","user":"0x', lower(hex(account)), '"}'),
  concat('{"marginSummary":', summary, ',"crossMarginSummary":{"accountValue":"', text(worth - margins - unrealized), '","totalNtlPos":"0","totalRawUsd":"', text(worth - margins - unrealized), '","totalMarginUsed":"0"},"crossMaintenanceMarginUsed":"0","withdrawable":"', text(greatest(0, worth - margins - unrealized)), '","assetPositions":[', arrayStringConcat(positions, ','), '],"time":', toString(toUnixTimestamp64Milli(now)), '}')
FROM (
  SELECT account, positions, margins, unrealized, came.usdc + realised + paid.usdc + unrealized AS worth, concat('{"accountValue":"', text(worth), '","totalNtlPos":"', text(value), '","totalRawUsd":"', text(worth - net), '","totalMarginUsed":"', text(margins + unrealized), '"}') AS summary
  FROM asked INNER JOIN books ON books.trader = asked.trader LEFT JOIN paid ON paid.trader = asked.trader LEFT JOIN came ON came.trader = asked.trader
)
UNION ALL
SELECT now, 'info', concat('{"type":"userFunding","user":"0x', lower(hex(account)), '"}'), concat('[', arrayStringConcat(groupArray(payment), ','), ']')
FROM (
  SELECT account, p.hour AS hour, concat('{"time":', toString({begin:UInt64} + toUInt64(p.hour) * 3600000), ',"hash":"0x0000000000000000000000000000000000000000000000000000000000000000","delta":{"type":"funding","coin":"', coin, '","usdc":"', toString(p.usdc), '","szi":"', toString(toDecimal128(szi, 6) / toInt64(exp10(sd))), '","fundingRate":"', toString(p.rate), '","nSamples":null}}') AS payment
  FROM made_payments AS p INNER JOIN asked USING (trader) INNER JOIN made_coins USING (c) ORDER BY account, p.hour
) GROUP BY account, intDiv(hour, 240)
UNION ALL
SELECT max(at), 'info', concat('{"type":"userNonFundingLedgerUpdates","user":"0x', lower(hex(account)), '"}'), concat('[', arrayStringConcat(groupArray(concat('{"time":', toString(toUnixTimestamp64Milli(at)), ',"hash":"0x53594e54', lower(substring(hex(SHA256(concat(toString(trader), kind))), 1, 56)), '","delta":{"type":"', kind, '","usdc":"', toString(usdc), '"', if(kind = 'withdraw', ',"nonce":1,"fee":"1"', ''), '}}')), ','), ']')
FROM (SELECT * FROM made_flows INNER JOIN made_traders USING (trader) WHERE role NOT IN ('maker', 'backstop') ORDER BY at) GROUP BY account
