-- What each stage did lately, from the ledger. Grain: one stage. Parameters: none.
-- blocks_minute and milliseconds (median of a batch) are of the last minute; processed counts batches of the last hour.
SELECT stage, countIf(finished_at > now64(3) - INTERVAL 1 HOUR) AS processed,
  sumIf(to_block - from_block + 1, finished_at > now64(3) - INTERVAL 1 MINUTE) AS blocks_minute,
  quantileExactIf(0.5)(milliseconds, finished_at > now64(3) - INTERVAL 1 MINUTE) AS milliseconds,
  countIf(finished_at > now64(3) - INTERVAL 1 MINUTE) AS batches_minute
FROM batches WHERE finished_at > now64(3) - INTERVAL 1 HOUR GROUP BY stage
