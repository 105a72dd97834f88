-- Blocks of Bitcoin as listBlocks.sql has those of other chains, with their difficulty by their bits as btcBlockOwn.sql works it out; of a block that enrich has not come to by what was read of it; null: the bits of a block that is just landing are not there yet.
-- Grain: one block. Parameters: chain, below (exclusive), since, until (Unix milliseconds), limit, offset.
-- Sort keys: blocks (chain, block_number), read in reverse; btc_blocks and btc_read_blocks (chain, block_number), by the heights of the page.
WITH page AS MATERIALIZED (
  SELECT * FROM blocks AS b
  WHERE b.chain = {chain:String} AND b.block_number < {below:UInt64}
    AND b.block_time >= fromUnixTimestamp64Milli({since:Int64}) AND b.block_time <= fromUnixTimestamp64Milli({until:Int64})
  ORDER BY b.chain DESC, b.block_number DESC
  LIMIT {limit:UInt32} OFFSET {offset:UInt64}
)
SELECT p.chain AS chain, toFloat64(p.block_number) AS number, concat('0x', lower(hex(p.block_hash))) AS hash, concat('0x', lower(hex(p.parent_hash))) AS parent_hash,
  p.block_time AS timestamp, concat('0x', lower(hex(p.miner))) AS miner, p.gas_used AS gas_used, p.gas_limit AS gas_limit,
  p.base_fee_per_gas AS base_fee_per_gas, if(d.target = 0, NULL, toNullable(toString(intDiv(bitShiftLeft(toUInt256(65535), 208), greatest(d.target, 1))))) AS difficulty, p.size AS size, concat('0x', lower(hex(p.extra_data))) AS extra_data,
  p.tx_count AS tx_count, p.log_count AS log_count, p.withdrawal_count AS withdrawal_count, p.blob_gas_used AS blob_gas_used,
  p.excess_blob_gas AS excess_blob_gas, p.internal_complete AS internal_complete
FROM page AS p
LEFT ANY JOIN (
  SELECT o.block_hash AS block_hash, bitShiftRight(o.bits, 24) AS bytes,
    if(bytes > 32 OR bitAnd(o.bits, 8388608) > 0, toUInt256(0), bitShiftRight(bitShiftLeft(toUInt256(bitAnd(o.bits, 8388607)), toUInt8(8 * (least(greatest(bytes, 3), 32) - 3))), toUInt8(8 * (3 - least(bytes, 3))))) AS target
  FROM (
    SELECT block_hash, bits FROM btc_blocks WHERE chain = {chain:String} AND block_number IN (SELECT block_number FROM page)
    UNION ALL
    SELECT block_hash, bits FROM btc_read_blocks WHERE chain = {chain:String} AND block_number IN (SELECT block_number FROM page)
  ) AS o
) AS d ON d.block_hash = p.block_hash
ORDER BY p.block_number DESC
SETTINGS enable_materialized_cte = 1
