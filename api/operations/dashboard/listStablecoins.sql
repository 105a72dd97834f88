-- Each stablecoin in a span: minted, burnt, how often holders were frozen, what moved, what went in and out of exchanges.
-- Freezes are those of USDT and USDC, whose events stablecoin_events reads: of others it is not known whether there were any. Amounts are in its smallest unit; dollars by its newest price of the span, null where there is none.
-- Grain: one stablecoin that did anything. Parameters: chain, first, newest, from, to (Unix milliseconds, from at a full hour).
-- Sort keys: transfers and logs (chain, block_number, …) by both heights; token_segments and class_segments (chain, hour, …); prices (chain, token, block_number).
WITH
  toStartOfHour(fromUnixTimestamp64Milli({from:Int64} + 1, 'UTC')) AS since, fromUnixTimestamp64Milli({to:Int64}, 'UTC') AS until,
  stable AS (SELECT address, symbol, decimals FROM tokens FINAL WHERE chain = {chain:String} AND tokens.stable)
SELECT concat('0x', lower(hex(k.address))) AS token, k.symbol AS token_symbol, k.decimals AS token_decimals,
  toString(e.minted) AS minted, toString(e.burnt) AS burnt, toString(toInt256(e.minted) - toInt256(e.burnt)) AS net, if(k.address IN (unhex('dac17f958d2ee523a2206206994597c13d831ec7'), unhex('a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48')), toNullable(toFloat64(e.frozen)), NULL) AS freezes,
  if(p.usd > 0, toNullable(toFloat64(toInt256(e.minted) - toInt256(e.burnt)) / pow(10, k.decimals) * p.usd), NULL) AS net_usd,
  toFloat64(v.transfers) AS transfers, if(v.absurd > 0, NULL, toNullable(toString(v.amount))) AS volume, v.usd AS volume_usd, toFloat64(v.transfers - v.priced) AS unpriced,
  if(x.absurd_in > 0, NULL, toNullable(toString(x.gained))) AS exchange_in, if(x.absurd_out > 0, NULL, toNullable(toString(x.lost))) AS exchange_out, x.usd_in AS exchange_in_usd, x.usd_out AS exchange_out_usd
FROM stable AS k
LEFT JOIN (
  SELECT h.token AS token, sum(h.transfers) AS transfers, sum(ifNull(h.amount, 0)) AS amount, countIf(isNull(h.amount)) AS absurd, sum(h.value_usd) AS usd, sum(h.priced_transfers) AS priced
  FROM token_hours AS h WHERE h.chain = {chain:String} AND h.hour >= since AND h.hour <= until AND h.token IN (SELECT address FROM stable) GROUP BY h.token
) AS v ON v.token = k.address
LEFT JOIN (
  SELECT s.token AS token, sumIf(s.amount, s.kind = 'mint') AS minted, sumIf(s.amount, s.kind = 'burn') AS burnt, countIf(s.kind = 'freeze') AS frozen
  FROM stablecoin_events AS s WHERE s.chain = {chain:String} AND s.block_number BETWEEN {first:UInt64} AND {newest:UInt64} GROUP BY s.token
) AS e ON e.token = k.address
LEFT JOIN (
  SELECT c.token AS token, sumIf(ifNull(c.amount, 0), c.to_class = 'exchange') AS gained, sumIf(ifNull(c.amount, 0), c.from_class = 'exchange') AS lost,
    countIf(isNull(c.amount) AND c.to_class = 'exchange') AS absurd_in, countIf(isNull(c.amount) AND c.from_class = 'exchange') AS absurd_out, sumIf(c.value_usd, c.to_class = 'exchange') AS usd_in, sumIf(c.value_usd, c.from_class = 'exchange') AS usd_out
  FROM class_hours AS c
  WHERE c.chain = {chain:String} AND c.hour >= since AND c.hour <= until AND c.token IN (SELECT address FROM stable) AND (c.from_class = 'exchange') != (c.to_class = 'exchange') GROUP BY c.token
) AS x ON x.token = k.address
LEFT JOIN (
  SELECT r.token AS token, argMax(r.usd, r.block_number) AS usd FROM prices AS r WHERE r.chain = {chain:String} AND r.token IN (SELECT address FROM stable) AND r.block_number BETWEEN {first:UInt64} AND {newest:UInt64} GROUP BY r.token
) AS p ON p.token = k.address
WHERE v.transfers > 0 OR e.minted > 0 OR e.burnt > 0 OR e.frozen > 0
ORDER BY volume_usd DESC, token
