-- Funding of a made market, by the hour. Grain: one coin and hour. Parameters: seed, minutes. The oracle is the middle price of the hour's first minute.
INSERT INTO made_rates
SELECT c, toUInt32(hour), toDecimal128(round(0.0000125 + greatest(-0.0003, least(0.0003, drift)), 10), 10), toDecimal128(round(drift * 8, 10), 10), toDecimal128(round(joinGet('made_prices', 'px', toUInt32(c * 4194304 + hour * 60)), pd), 6)
FROM (SELECT c, pd, hour, 0.00004 * sin(hour / 97 * 6.283 + c) + 0.00001 * (cityHash64({seed:UInt64}, c, hour, 9) % 2001 / 1000. - 1) + if(hour % 600 < 3, 0.0002, 0) AS drift FROM made_coins CROSS JOIN (SELECT number AS hour FROM numbers(1, intDiv({minutes:UInt32}, 60))) AS h)
