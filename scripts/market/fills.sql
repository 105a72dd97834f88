-- Both sides of each trade of a made market, with what the account held before and what it realised, the entry being the average of what was opened.
-- Grain: one side of one trade. Parameters: part, parts (accounts by rest). Reads made_trades. What an entry costs follows c' = a·c + b: opening adds b,
-- closing a part leaves the share a, and beginning anew forgets; so c is A·Σ(b/A) with A the product of the shares since.
INSERT INTO made_fills
SELECT seq, at, c, trader, crossed, q, before, px,
  multiIf(forced AND crossed, if(before > 0, 'Liquidated Isolated Long', 'Liquidated Isolated Short'), closing AND fresh, if(q > 0, 'Short > Long', 'Long > Short'), concat(if(closing, 'Close ', 'Open '), if((q > 0) != closing, 'Long', 'Short'))) AS dir,
  toDecimal128(if(closing, toInt64(round(least(abs(q), abs(before)) * (px - entered) * if(before > 0, 1, -1) / exp10(sd + pd - 6))), 0), 6) / 1000000 AS closed_pnl,
  toDecimal128(toInt64(round(abs(q) * px / exp10(sd + pd - 6) * multiIf(crossed, 0.00045, trader % 5 = 0, -0.00002, 0.00015))), 6) / 1000000 AS fee, if(throwIf(NOT isFinite(cost), 'the cost of an entry was lost') = 0 AND pos != 0, cost / abs(pos) / exp10(pd), 0), oid, taker, maker, forced, mark
FROM (
  SELECT *, lagInFrame(cost) OVER (PARTITION BY trader, c ORDER BY seq, crossed ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) / abs(before) AS entered
  FROM (
    SELECT *, exp(shares) * sum(if(fresh, toFloat64(abs(pos)) * px, if(closing, 0, toFloat64(abs(q)) * px)) * exp(-shares)) OVER (PARTITION BY trader, c, episode ORDER BY seq, crossed) AS cost
    FROM (
      SELECT *, sum(if(closing AND NOT fresh AND pos != 0, log(pos / before), 0)) OVER (PARTITION BY trader, c, episode ORDER BY seq, crossed) AS shares
      FROM (
        SELECT *, sum(fresh) OVER (PARTITION BY trader, c ORDER BY seq, crossed) AS episode
        FROM (
          SELECT *, pos - q AS before, before != 0 AND (q > 0) != (before > 0) AS closing, before = 0 OR (closing AND abs(q) > abs(before)) AS fresh
          FROM (
            SELECT *, sum(q) OVER (PARTITION BY trader, c ORDER BY seq, crossed) AS pos
            FROM (
              SELECT seq, at, c, px, crossed, if(crossed, taker, maker) AS trader, if(crossed, side, -side) * lots AS q, if(crossed, made_trades.oid, maker_oid) AS oid, taker, maker, bust AS forced, mark
              FROM made_trades ARRAY JOIN [true, false] AS crossed
            ) WHERE trader % {parts:UInt32} = {part:UInt32}
          )
        )
      )
    )
  )
) AS f INNER JOIN made_coins USING (c)
