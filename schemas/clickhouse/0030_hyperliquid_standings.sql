-- What accounts of Hyperliquid stood at when they were judged, as far as lists are ranked by it: a list that was begun goes on as it was, though some were judged anew since.
-- hl_traders keeps the newest alone. Grain: one account in one run (version, Unix milliseconds).
CREATE TABLE IF NOT EXISTS hl_standings (
  chain LowCardinality(String), account FixedString(20), version UInt64, trips UInt32, net_usd Float64, style LowCardinality(String), listed Bool
) ENGINE = MergeTree ORDER BY (chain, account, version) TTL toDateTime(intDiv(version, 1000)) + INTERVAL 3 DAY SETTINGS index_granularity = 1024, non_replicated_deduplication_window = 10000;

-- Vaults are not traders; of an account whose history is truncated no style is told.
CREATE MATERIALIZED VIEW IF NOT EXISTS hl_traders_standings TO hl_standings AS
SELECT chain, account, version, trips, net_usd, if(style IN ('SNIPER', 'DIRECTIONAL', 'STEAMROLLER', 'HEDGER') AND NOT has(flags, 'history_truncated'), toString(style), '') AS style, NOT has(flags, 'vault') AS listed FROM hl_traders;
