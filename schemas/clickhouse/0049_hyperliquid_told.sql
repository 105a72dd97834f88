-- Of which times a venue told what was dealt, by the times of the deals: where nobody listened and no file tells, a sum of 0 is no 0. Kept beside the deals, since asking those would read them all.
-- told: live: trades as they were said, the last ones of each coin that come with an answer or a first subscription are no sign of listening; trades, fills: of a node's files, which tell of
-- earlier times than they are read at. made: by a generator, which is quiet at times. Grain: one hour of one kind, several rows until they are merged: within an hour no silence is looked for.
CREATE TABLE IF NOT EXISTS hl_told (
  chain LowCardinality(String), told Enum8('live' = 1, 'trades' = 2, 'fills' = 3, 'made' = 4), start DateTime('UTC'), first SimpleAggregateFunction(min, DateTime64(3, 'UTC')), last SimpleAggregateFunction(max, DateTime64(3, 'UTC'))
) ENGINE = AggregatingMergeTree ORDER BY (chain, told, start);

CREATE MATERIALIZED VIEW IF NOT EXISTS hl_trades_told TO hl_told AS
SELECT chain, if(source = 'node_trades', 'trades', 'live') AS told, toStartOfHour(t.time) AS start, min(t.time) AS first, max(t.time) AS last
FROM hl_trades AS t WHERE source = 'node_trades' OR (source = 'ws' AND t.time > heard_at - INTERVAL 10 MINUTE) GROUP BY chain, told, start;

CREATE MATERIALIZED VIEW IF NOT EXISTS hl_fills_told TO hl_told AS
SELECT chain, if(source = 'synthetic', 'made', 'fills') AS told, toStartOfHour(f.time) AS start, min(f.time) AS first, max(f.time) AS last
FROM hl_fills AS f WHERE source IN ('node_fills', 'synthetic') GROUP BY chain, told, start;

-- What stands already; told twice it is the same.
INSERT INTO hl_told SELECT chain, if(source = 'node_trades', 'trades', 'live') AS told, toStartOfHour(t.time) AS start, min(t.time) AS first, max(t.time) AS last
FROM hl_trades AS t WHERE source = 'node_trades' OR (source = 'ws' AND t.time > heard_at - INTERVAL 10 MINUTE) GROUP BY chain, told, start;
INSERT INTO hl_told SELECT chain, if(source = 'synthetic', 'made', 'fills') AS told, toStartOfHour(f.time) AS start, min(f.time) AS first, max(f.time) AS last
FROM hl_fills AS f WHERE source IN ('node_fills', 'synthetic') GROUP BY chain, told, start;
