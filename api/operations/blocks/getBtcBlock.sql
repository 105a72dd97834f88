-- One block of Bitcoin and a summary of its transactions, once all of them are there. Grain: one block. Parameters: chain, at.
-- Sort key: (chain, block_number) of blocks, btc_blocks, btc_flows. value: what outputs pay out, fees: what transactions leave to the miner (null while an input is unresolved, as bitcoin.fees).
-- miner: as its coinbase signs, else whose address the coinbase pays, where a label says that it is a miner's.
SELECT b.chain AS chain, toFloat64(b.block_number) AS number, concat('0x', lower(hex(b.block_hash))) AS hash, concat('0x', lower(hex(b.parent_hash))) AS parent_hash,
  b.block_time AS timestamp, concat('0x', lower(hex(b.miner))) AS miner, b.gas_used AS gas_used, b.gas_limit AS gas_limit,
  b.base_fee_per_gas AS base_fee_per_gas, b.difficulty AS difficulty, b.size AS size, concat('0x', lower(hex(b.extra_data))) AS extra_data,
  b.tx_count AS tx_count, b.log_count AS log_count, b.withdrawal_count AS withdrawal_count, b.blob_gas_used AS blob_gas_used,
  b.excess_blob_gas AS excess_blob_gas, b.internal_complete AS internal_complete,
  CAST((toFloat64(b.tx_count), toFloat64(b.tx_count), 0, 0, toFloat64(f.senders), toFloat64(f.receivers), toString(v.output_value), toString(v.fees)),
    'Tuple(count Float64, succeeded Float64, failed Float64, contracts_created Float64, senders Float64, receivers Float64, value String, fees Nullable(String))') AS transactions,
  CAST((toFloat64(v.version), lower(hex(v.merkle_root)), toFloat64(v.bits), toFloat64(v.nonce), toFloat64(v.weight), toFloat64(v.input_count), toFloat64(v.output_count), toFloat64(v.unresolved_inputs),
      toString(v.output_value), toString(v.subsidy), toString(v.fees), lower(hex(v.coinbase_text)), if(v.miner != '', toString(v.miner), c.payee), multiIf(v.miner != '', 'coinbase_tag', c.payee != '', 'payout_label', 'unknown')),
    'Tuple(version Float64, merkle_root String, bits Float64, nonce Float64, weight Float64, input_count Float64, output_count Float64, unresolved_inputs Float64, output_value String, subsidy String, fees Nullable(String), coinbase_text String, miner String, miner_by String)') AS bitcoin
FROM (SELECT * FROM blocks WHERE chain = {chain:String} AND block_number = {at:UInt64}) AS b
INNER JOIN (SELECT * FROM btc_blocks WHERE chain = {chain:String} AND block_number = {at:UInt64}) AS v ON v.block_hash = b.block_hash
LEFT JOIN (
  SELECT block_hash, count() AS rows, uniqExactIf(from_address, from_address != toFixedString('', 20)) AS senders, uniqExactIf(to_address, to_address != toFixedString('', 20)) AS receivers
  FROM btc_flows WHERE chain = {chain:String} AND block_number = {at:UInt64} GROUP BY block_hash
) AS f ON f.block_hash = b.block_hash
LEFT JOIN (
  SELECT block_hash, arrayFirst(one -> one.2 = 'miner', arrayMap(id -> dictGet('label_of', ('entity', 'category'), ({chain:String}, id)), groupArray(concat('0x', lower(hex(toFixedString(substring(SHA256(o.address), 1, 20), 20))))))).1 AS payee
  FROM (SELECT block_hash, vout, address FROM btc_outputs WHERE chain = {chain:String} AND block_number = {at:UInt64} AND tx_index = 0 AND address != '' ORDER BY value DESC, vout) AS o GROUP BY block_hash
) AS c ON c.block_hash = b.block_hash
-- A reorg leaves both blocks for a moment; the newer is the chain's. The tables of a block fill in no order.
WHERE b.tx_count = f.rows ORDER BY b.generation DESC LIMIT 1
-- A block is a few thousand rows: joins that hash them side by side cost more than they save.
SETTINGS max_threads = 1, join_algorithm = 'hash'
