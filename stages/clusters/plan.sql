-- Where clusters stand and what is to be done. Grain: one row. Parameters: chain, rules (clusterRules). Reads of the ledger by chain, and one row a block of the rest.
-- ceiling: the highest block under which every planned batch has passed the index stage (batches that no node has are not waited for);
-- without a plan: the highest block there is. backfilling: whether more blocks wait for the index stage than a tip has, and a stage of any batch landed within two minutes. overdue: whether what is to do passed the index stage ten minutes ago and more. seen: the highest block clusters have seen, -1: none. changed: the lowest block up to there that is
-- another than they saw, came since, is gone or was seen by older rules; null: none. waiting: blocks to do above it. left: rows above it, the rest of a run that died or
-- was taken back. newest: version of the last write.
WITH
  (SELECT (count(), minIf(b.from_block, NOT b.indexed), sumIf(b.to_block - b.from_block + 1, NOT b.indexed), max(b.to_block)) FROM (
    SELECT from_block, to_block, (from_block, to_block, hash, generation) IN (SELECT from_block, to_block, hash, generation FROM batches WHERE chain = {chain:String} AND stage = 'index') AS indexed
    FROM live_batches WHERE chain = {chain:String}
      AND (from_block, to_block) NOT IN (SELECT from_block, to_block FROM dead_letters FINAL WHERE chain = {chain:String} AND stage = 'ingest' AND state = 'dead' AND hash = '')
  ) AS b) AS planned,
  multiIf(planned.1 = 0, (SELECT assumeNotNull(toInt64(max(block_number))) FROM btc_blocks WHERE chain = {chain:String}), planned.3 = 0, toInt64(planned.4), toInt64(planned.2) - 1) AS highest,
  (SELECT if(count() = 0, -1, toInt64(max(block_number))) FROM btc_cluster_blocks WHERE chain = {chain:String}) AS top
SELECT highest AS ceiling, top AS seen,
  planned.3 > 3 AND (SELECT max(finished_at) FROM batches WHERE chain = {chain:String}) > now64(3) - INTERVAL 120 SECOND AS backfilling,
  ifNull((SELECT minOrNull(finished_at) FROM batches WHERE chain = {chain:String} AND stage = 'index' AND toInt64(to_block) > top AND toInt64(to_block) <= highest) < now64(3) - INTERVAL 600 SECOND, false) AS overdue,
  (SELECT minOrNull(block_number) FROM (
    SELECT block_number FROM (
      SELECT DISTINCT block_number, block_hash, 1 AS side, toUInt16(0) AS by FROM btc_blocks WHERE chain = {chain:String} AND toInt64(block_number) <= least(top, highest)
      UNION ALL SELECT block_number, block_hash, 2, rules FROM btc_cluster_blocks FINAL WHERE chain = {chain:String} AND toInt64(block_number) <= highest
    ) GROUP BY block_number HAVING NOT hasAny(groupArrayIf(block_hash, side = 1), groupArrayIf(block_hash, side = 2)) OR minIf(by, side = 2) < {rules:UInt16})) AS changed,
  (SELECT uniqExact(block_number) FROM btc_blocks WHERE chain = {chain:String} AND toInt64(block_number) > top AND toInt64(block_number) <= highest) AS waiting,
  (SELECT count() FROM btc_cluster_log WHERE chain = {chain:String} AND toInt64(block_number) > top) + (SELECT count() FROM btc_cluster_quarantine WHERE chain = {chain:String} AND toInt64(block_number) > top)
    + (SELECT count() FROM btc_change_links WHERE chain = {chain:String} AND toInt64(block_number) > top) AS left,
  greatest((SELECT max(version) FROM btc_cluster_blocks WHERE chain = {chain:String}), (SELECT max(version) FROM btc_cluster_names WHERE chain = {chain:String})) AS newest
