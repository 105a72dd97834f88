-- Funding paid in a made market as enrich leaves it. Grain: one payment. Parameters: begin (Unix milliseconds), part, parts (accounts by rest). Reads made_payments.
INSERT INTO hl_funding_payments (chain, block_number, source, heard_at, coin, market, dex, time, account, usdc, szi, rate, samples, hash, generation)
SELECT 'HL', 1 + toUInt64(p.hour) * 60, 'synthetic', fromUnixTimestamp64Milli(toInt64({begin:UInt64} + toUInt64(p.hour) * 3600000), 'UTC') AS at, k.coin, 'perp', '', at, t.account, p.usdc, toDecimal128(p.szi, 18) / toInt64(exp10(sd)), p.rate, NULL, toFixedString('', 32), 0
FROM made_payments AS p INNER JOIN made_coins AS k ON k.c = p.c INNER JOIN made_traders AS t ON t.trader = p.trader WHERE p.trader % {parts:UInt32} = {part:UInt32}
