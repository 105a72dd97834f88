-- How far clusters may go, and how far they have come. Grain: one row. Parameters: chain. Reads the ledger by chain.
-- ceiling: the highest block under which every planned batch has passed the index stage (batches that no node has are not waited for);
-- without a plan: the highest block there is. seen: the highest block clusters have seen, -1: none.
-- backfilling: whether more blocks wait for the index stage than a tip has, and a stage of any batch landed within two minutes of now, by whatever clock.
SELECT multiIf(p.batches = 0, (SELECT assumeNotNull(toInt64(max(block_number))) FROM btc_blocks WHERE chain = {chain:String}), p.unindexed = 0, toInt64(p.last), toInt64(p.first) - 1) AS ceiling,
  (SELECT if(count() = 0, -1, toInt64(max(block_number))) FROM btc_cluster_blocks WHERE chain = {chain:String}) AS seen,
  p.unindexed > 3 AND abs(dateDiff('second', (SELECT max(finished_at) FROM batches WHERE chain = {chain:String}), now64(3))) < 120 AS backfilling
FROM (
  SELECT count() AS batches, minIf(b.from_block, NOT b.indexed) AS first, sumIf(b.to_block - b.from_block + 1, NOT b.indexed) AS unindexed, max(b.to_block) AS last FROM (
    SELECT from_block, to_block, (from_block, to_block, hash, generation) IN (SELECT from_block, to_block, hash, generation FROM batches WHERE chain = {chain:String} AND stage = 'index') AS indexed
    FROM live_batches WHERE chain = {chain:String}
      AND (from_block, to_block) NOT IN (SELECT from_block, to_block FROM dead_letters FINAL WHERE chain = {chain:String} AND stage = 'ingest' AND state = 'dead' AND hash = '')
  ) AS b
) AS p
