-- Hops of peel chains in a range of blocks. Grain: one transaction of one input and two outputs that spends an output of another such one.
-- The smaller output is at least 1000 satoshis and at most half of the larger; what anybody may spend (anchor, witness_unknown: groups.sql) is no link of a chain, neither spent nor paid to. Parameters: chain, from, to, version, writer (fails where another holds the clusters).
-- Of a height only the rows of the block that stands are read: a late writer may have left some of one that is orphaned, until the audit sweeps them.
-- Sort keys: btc_blocks (chain, block_number), btc_inputs, btc_outputs, btc_transactions (chain, block_number, tx_index, …), btc_txids (chain, prefix). The other one is looked for in the blocks
-- the inputs name, and by its txid where they name none: what a node says of an output does not tell its block.
INSERT INTO btc_peels (chain, prev_txid, prev_vout, block_number, tx_index, block_time, txid, prev_block, peeled_vout, peeled, peeled_to, passed_vout, passed, passed_to, version)
WITH standing AS (SELECT block_number, max(generation) AS generation FROM btc_blocks WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} GROUP BY block_number), shaped AS (
  SELECT block_number, tx_index FROM btc_transactions
  WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND (block_number, generation) IN standing AND input_count = 1 AND output_count = 2 AND NOT coinbase
), spent AS MATERIALIZED (
  SELECT block_number, tx_index, block_time, txid, prev_txid, prev_vout, i.prev_block AS told FROM btc_inputs AS i
  WHERE i.chain = {chain:String} AND i.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND (i.block_number, i.generation) IN standing AND i.prevout IN ('own', 'node') AND i.script_type NOT IN ('anchor', 'witness_unknown') AND (i.block_number, i.tx_index) IN (SELECT block_number, tx_index FROM shaped)
)
SELECT {chain:String}, s.prev_txid, s.prev_vout, s.block_number, s.tx_index, s.block_time, s.txid, b.height, o.ends[1].2, o.ends[1].1, o.ends[1].3, o.ends[2].2, o.ends[2].1, o.ends[2].3, {version:UInt64}
FROM spent AS s
INNER JOIN (
  SELECT block_number, tx_index, arraySort(groupArray((p.value, p.vout, if(p.script_id = '', p.party_id, toFixedString('', 20))))) AS ends
  FROM btc_outputs AS p
  WHERE p.chain = {chain:String} AND p.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND (p.block_number, p.generation) IN standing AND (p.block_number, p.tx_index) IN (SELECT block_number, tx_index FROM spent)
  GROUP BY block_number, tx_index
  HAVING length(ends) = 2 AND countIf(p.script_type IN ('anchor', 'witness_unknown')) = 0 AND ends[1].1 >= 1000 AND ends[1].1 * 2 <= ends[2].1
) AS o ON o.block_number = s.block_number AND o.tx_index = s.tx_index
INNER JOIN (
  SELECT name, max(at) AS height FROM (
    SELECT t.txid AS name, t.block_number AS at FROM btc_transactions AS t
    WHERE t.chain = {chain:String} AND t.block_number IN (SELECT assumeNotNull(told) FROM spent WHERE told IS NOT NULL) AND t.input_count = 1 AND t.output_count = 2 AND NOT t.coinbase
    UNION ALL
    SELECT t.txid, t.block_number FROM btc_transactions AS t
    WHERE t.chain = {chain:String} AND (t.block_number, t.tx_index) IN (
      SELECT x.block_number, x.tx_index FROM btc_txids AS x
      WHERE x.chain = {chain:String} AND x.prefix IN (SELECT reinterpretAsUInt64(prev_txid) FROM spent WHERE told IS NULL) AND x.block_number <= {to:UInt64}
    ) AND t.input_count = 1 AND t.output_count = 2 AND NOT t.coinbase
  ) GROUP BY name
) AS b ON b.name = s.prev_txid
WHERE NOT throwIf((SELECT writer FROM btc_cluster_leases WHERE chain = {chain:String} ORDER BY seq DESC LIMIT 1) != {writer:String}, 'another process has taken the clusters over')
SETTINGS enable_materialized_cte = 1
