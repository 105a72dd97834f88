-- What is to be done for clusters. Grain: one row. Parameters: chain, ceiling and seen (reach.sql), rules (clusterRules). Reads of the ledger by chain, and one row a block of the rest.
-- Asked apart from how far they may go: in one statement the planner works that out anew wherever it is named.
-- overdue: whether what is to do passed the index stage ten minutes ago and more, or as much later than now (a clock was set back). changed: the lowest block up to ceiling and seen that is
-- another than they saw, came since, is gone or was seen by older rules; null: none. waiting: blocks to do above seen. left: rows above it, the rest of a run that died or
-- was taken back. newest: version of the last write.
SELECT
  ifNull(abs(dateDiff('second', (SELECT minOrNull(finished_at) FROM batches WHERE chain = {chain:String} AND stage = 'index' AND toInt64(to_block) > {seen:Int64} AND toInt64(to_block) <= {ceiling:Int64}), now64(3))) > 600, false) AS overdue,
  (SELECT minOrNull(block_number) FROM (
    SELECT block_number FROM (
      SELECT DISTINCT block_number, block_hash, 1 AS side, toUInt16(0) AS by FROM btc_blocks WHERE chain = {chain:String} AND toInt64(block_number) <= least({seen:Int64}, {ceiling:Int64})
      UNION ALL SELECT block_number, block_hash, 2, rules FROM btc_cluster_blocks FINAL WHERE chain = {chain:String} AND toInt64(block_number) <= {ceiling:Int64}
    ) GROUP BY block_number HAVING NOT hasAny(groupArrayIf(block_hash, side = 1), groupArrayIf(block_hash, side = 2)) OR minIf(by, side = 2) < {rules:UInt16})) AS changed,
  (SELECT uniqExact(block_number) FROM btc_blocks WHERE chain = {chain:String} AND toInt64(block_number) > {seen:Int64} AND toInt64(block_number) <= {ceiling:Int64}) AS waiting,
  (SELECT count() FROM btc_cluster_log WHERE chain = {chain:String} AND toInt64(block_number) > {seen:Int64}) + (SELECT count() FROM btc_cluster_quarantine WHERE chain = {chain:String} AND toInt64(block_number) > {seen:Int64})
    + (SELECT count() FROM btc_change_links WHERE chain = {chain:String} AND toInt64(block_number) > {seen:Int64}) AS left,
  greatest((SELECT max(version) FROM btc_cluster_blocks WHERE chain = {chain:String}), (SELECT max(version) FROM btc_cluster_names WHERE chain = {chain:String})) AS newest
