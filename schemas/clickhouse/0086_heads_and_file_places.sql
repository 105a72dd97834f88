-- Two things that were forgotten with what they were read from.

-- The newest head of each chain stays for ever: that a node, or a venue, was heard once is known however long it has been silent. Of older ones a week is kept, as before: what is older becomes one row of each chain, the newest of them.
ALTER TABLE heads MODIFY TTL toDateTime(observed_at) + INTERVAL 7 DAY GROUP BY chain SET number = argMax(number, observed_at), hash = argMax(hash, observed_at), block_time = argMax(block_time, observed_at),
  finalized = argMax(finalized, observed_at), endpoint = argMax(endpoint, observed_at), observed_at = max(observed_at);

-- Up to where each of a node's files was read; raw_payloads, which tells it as well, lives 30 days, and a file stays as long as its owner likes. place.skip, torn, told and life are those of stages/ingest/hyperliquid/keepPlaces.sql.
-- Grain: one file of one kind. Written when a worker begins to read files, and hourly.
CREATE TABLE IF NOT EXISTS hl_file_places (
  chain LowCardinality(String), kind LowCardinality(String), file String, place SimpleAggregateFunction(max, Tuple(life UInt64, at UInt64, skip UInt64, torn UInt8, told UInt8))
) ENGINE = AggregatingMergeTree ORDER BY (chain, kind, file);
