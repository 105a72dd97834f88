-- Trades of a made market as enrich leaves them. Grain: one trade. Parameters: begin, from, to (Unix milliseconds, the last excluded). Reads made_trades by seq, which is by time.
INSERT INTO hl_trades (chain, block_number, source, heard_at, coin, market, dex, time, tid, extra, side, px, sz, buyer, seller, buyer_oid, seller_oid, hash, generation)
SELECT 'HL', 1 + intDiv(toUnixTimestamp64Milli(d.at) - {begin:UInt64}, 60000), 'synthetic', d.at, k.coin, 'perp', '', d.at, bitAnd(cityHash64(d.seq), 1125899906842623), 0, if(d.side > 0, 'buy', 'sell'), toDecimal128(d.px, 18) / toInt64(exp10(pd)), toDecimal128(d.lots, 18) / toInt64(exp10(sd)),
  if(d.side > 0, t.account, m.account), if(d.side > 0, m.account, t.account), if(d.side > 0, d.oid, d.maker_oid), if(d.side > 0, d.maker_oid, d.oid), SHA256(concat(toString(d.taker), toString(d.at))), 0
FROM made_trades AS d INNER JOIN made_coins AS k ON k.c = d.c INNER JOIN made_traders AS t ON t.trader = d.taker INNER JOIN made_traders AS m ON m.trader = d.maker
WHERE d.seq >= ({from:UInt64} - {begin:UInt64}) * 1048576 AND d.seq < ({to:UInt64} - {begin:UInt64}) * 1048576
