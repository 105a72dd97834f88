-- Mean bytes per block of what a chain ingested last. Grain: one row; null when nothing was. Parameters: chain.
SELECT sum(bytes) / nullIf(sum(to_block - from_block + 1), 0) AS bytes_per_block FROM (
  SELECT bytes, from_block, to_block FROM batches WHERE chain = {chain:String} AND stage = 'ingest' AND bytes > 0 ORDER BY finished_at DESC LIMIT 32)
