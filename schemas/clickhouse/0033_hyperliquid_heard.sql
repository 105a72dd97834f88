-- Trades with an id as the streams said them, cut out of the messages when they land, so that the newest are answered before any stage has come to
-- them and no question reads messages. Grain: one trade, as often as it was said; number is its segment. Nothing is worked out of it and nothing in
-- it is mended: what stands is hl_trades. The rules are those of hl_items_trades (0034). Kept for an hour: the stages are seconds behind, and where they
-- are further behind it is not asked.
CREATE TABLE IF NOT EXISTS hl_heard_trades (
  number UInt64, fetched_at DateTime64(3, 'UTC'), coin String, time DateTime64(3, 'UTC'), tid UInt64, side LowCardinality(String), px Decimal(38, 18), sz Decimal(38, 18),
  buyer FixedString(20), seller FixedString(20), hash FixedString(32)
) ENGINE = MergeTree PARTITION BY intDiv(number, 10000) ORDER BY number
TTL toDateTime(fetched_at) + INTERVAL 1 HOUR
SETTINGS ttl_only_drop_parts = 1, merge_with_ttl_timeout = 600;

-- Rules that texts must meet are one rule over all of them: a segment lands ten times a second, and each further function is planned each time.
CREATE MATERIALIZED VIEW IF NOT EXISTS hl_hear_trades TO hl_heard_trades AS
SELECT number, fetched_at, t.1 AS coin, fromUnixTimestamp64Milli(t.5, 'UTC') AS time, t.7 AS tid, if(t.2 = 'B', 'buy', 'sell') AS side, toDecimal128OrZero(t.3, 18) AS px, toDecimal128OrZero(t.4, 18) AS sz,
  toFixedString(unhex(substring(t.8[1], 3)), 20) AS buyer, toFixedString(unhex(substring(t.8[2], 3)), 20) AS seller, if(match(t.6, '^0x[0-9a-fA-F]{64}$'), toFixedString(unhex(substring(t.6, 3)), 32), toFixedString('', 32)) AS hash
FROM (
  SELECT number, fetched_at, arrayJoin(JSONExtract(payload, 'data', 'Array(Tuple(coin String, side String, px String, sz String, time Int64, hash String, tid UInt64, users Array(String)))')) AS t FROM raw_payloads
  WHERE chain = 'HL' AND kind = 'ws' AND problem = '' AND JSONExtractString(payload, 'channel') = 'trades'
)
WHERE t.7 != 0 AND t.1 != '' AND t.5 BETWEEN 1640995200000 AND toUnixTimestamp64Milli(fetched_at) + 86400000
  AND match(concatWithSeparator(' ', t.2, t.3, t.4, t.8[1], t.8[2]), '^[AB] [0-9]{1,20}([.][0-9]{1,18})? [0-9]{1,20}([.][0-9]{1,18})? 0x[0-9a-fA-F]{40} 0x[0-9a-fA-F]{40}$');

DROP VIEW IF EXISTS hl_waiting_trades;

-- A segment of what was heard is a few kilobytes: its columns in one file are written in half the time. Answers of nodes stay a file to a column.
ALTER TABLE raw_payloads MODIFY SETTING min_bytes_for_wide_part = 131072;
