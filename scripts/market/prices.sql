-- Middle prices: waves of an hour to a month, noise, and every six days a jump that fades. Grain: one coin and minute. k = coin × 2^22 + minute.
-- Parameters: seed, minutes. What is made of the first minutes does not depend on how many there are.
INSERT INTO made_prices
SELECT toUInt32(c * 4194304 + minute), base * exp(swing * (
    0.0012 * sin(minute / 47 * tau + p1) + 0.004 * sin(minute / 301 * tau + p2) + 0.008 * sin(minute / 1021 * tau + p3) + 0.02 * sin(minute / 4463 * tau + p4) + 0.04 * sin(minute / 15847 * tau + p5) + 0.06 * sin(minute / 53281 * tau + p6)
    + 0.0004 * (cityHash64({seed:UInt64}, c, minute, 7) % 2001 / 1000. - 1)) + if(since < 0, 0, jump * least(1., since / 15) * exp(-since / 1440)))
FROM (
  SELECT c, base, swing, minute, 2 * pi() AS tau, toInt64(minute) - 700 - 1440 * c AS past, if(past < 0, -1., toFloat64(past % 8640)) AS since, if(cityHash64({seed:UInt64}, c, intDiv(past, 8640), 8) % 2 = 0, 0.1, -0.1) AS jump,
    cityHash64({seed:UInt64}, c, 1) % 6283 / 1000. AS p1, cityHash64({seed:UInt64}, c, 2) % 6283 / 1000. AS p2, cityHash64({seed:UInt64}, c, 3) % 6283 / 1000. AS p3, cityHash64({seed:UInt64}, c, 4) % 6283 / 1000. AS p4, cityHash64({seed:UInt64}, c, 5) % 6283 / 1000. AS p5, cityHash64({seed:UInt64}, c, 6) % 6283 / 1000. AS p6
  FROM made_coins CROSS JOIN (SELECT toUInt32(number) AS minute FROM numbers(toUInt64({minutes:UInt32}) + 14400)) AS m
)
