-- The newest trades as the streams said them are kept in memory: a segment lands ten times a second, and a file for each cost as much as the segment's own.
-- A server that restarts knows none of them until the stages have come to their segments; hl_trades has all. Grain, rules and columns as before (0033).
-- Kept: the newest 200,000, several times what the stages are behind where it is asked.
DROP VIEW IF EXISTS hl_hear_trades;
DROP TABLE IF EXISTS hl_heard_trades;

CREATE TABLE IF NOT EXISTS hl_heard_trades (
  number UInt64, fetched_at DateTime64(3, 'UTC'), coin String, time DateTime64(3, 'UTC'), tid UInt64, side LowCardinality(String), px Decimal(38, 18), sz Decimal(38, 18),
  buyer FixedString(20), seller FixedString(20), hash FixedString(32)
) ENGINE = Memory SETTINGS min_rows_to_keep = 100000, max_rows_to_keep = 200000;

CREATE MATERIALIZED VIEW IF NOT EXISTS hl_hear_trades TO hl_heard_trades AS
SELECT number, fetched_at, t.1 AS coin, fromUnixTimestamp64Milli(t.5, 'UTC') AS time, t.7 AS tid, if(t.2 = 'B', 'buy', 'sell') AS side, toDecimal128OrZero(t.3, 18) AS px, toDecimal128OrZero(t.4, 18) AS sz,
  toFixedString(unhex(substring(t.8[1], 3)), 20) AS buyer, toFixedString(unhex(substring(t.8[2], 3)), 20) AS seller, if(match(t.6, '^0x[0-9a-fA-F]{64}$'), toFixedString(unhex(substring(t.6, 3)), 32), toFixedString('', 32)) AS hash
FROM (
  SELECT number, fetched_at, arrayJoin(JSONExtract(payload, 'data', 'Array(Tuple(coin String, side String, px String, sz String, time Int64, hash String, tid UInt64, users Array(String)))')) AS t FROM raw_payloads
  WHERE chain = 'HL' AND kind = 'ws' AND problem = '' AND JSONExtractString(payload, 'channel') = 'trades'
)
WHERE t.7 != 0 AND t.1 != '' AND t.5 BETWEEN 1640995200000 AND toUnixTimestamp64Milli(fetched_at) + 86400000
  AND match(concatWithSeparator(' ', t.2, t.3, t.4, t.8[1], t.8[2]), '^[AB] [0-9]{1,20}([.][0-9]{1,18})? [0-9]{1,20}([.][0-9]{1,18})? 0x[0-9a-fA-F]{40} 0x[0-9a-fA-F]{40}$');
