-- Funding paid in a made market: longs pay shorts where the rate is above 0, of the oracle's price. Grain: one account, coin and hour.
-- Parameters: begin (Unix milliseconds), minutes, part, parts (accounts by rest). Reads made_fills, made_rates.
INSERT INTO made_payments
SELECT trader, c, hour, szi, toDecimal128(toInt64(round(-szi / exp10(sd - 6) * toFloat64(oracle) * toFloat64(rate))), 6) / 1000000, rate
FROM (
  SELECT trader, c, before + q AS szi, hour
  FROM (
    SELECT *, leadInFrame(at, 1, fromUnixTimestamp64Milli(toInt64({begin:UInt64} + toUInt64({minutes:UInt32}) * 60000), 'UTC')) OVER (PARTITION BY trader, c ORDER BY seq, crossed ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS next
    FROM made_fills WHERE trader % {parts:UInt32} = {part:UInt32}
  )
  ARRAY JOIN arrayMap(n -> toUInt32(n), range(toUInt64(intDiv(toUnixTimestamp64Milli(at) - {begin:UInt64}, 3600000) + 1), toUInt64(intDiv(toUnixTimestamp64Milli(next) - {begin:UInt64}, 3600000) + 1))) AS hour
  WHERE before + q != 0
) AS p INNER JOIN made_rates USING (c, hour) INNER JOIN made_coins USING (c)
