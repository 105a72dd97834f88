-- Totals of the store, and batches done and given up within the last minute.
-- Grain: one row. Parameters: none. Sort key: counts come from metadata, except whale lines (a scan of two narrow columns; on Bitcoin a line is written from 10 coins on, whatever they were worth).
SELECT toFloat64((SELECT count() FROM blocks)) AS blocks, toFloat64((SELECT count() FROM chunks)) AS chunks,
  toFloat64((SELECT count() FROM chunks WHERE topic = 'whale_transfer' AND value_usd >= 100000)) AS whales,
  toFloat64((SELECT count() FROM batches WHERE finished_at > now64(3) - INTERVAL 1 MINUTE)) AS done,
  toFloat64((SELECT count() FROM dead_letters WHERE at > now64(6) - INTERVAL 1 MINUTE AND state = 'dead')) AS died
