-- Blocks of one chain below a height, newest first, each with its ten most valuable narrative events and its count and sum of whales (exact in millionths, in whatever order they are added).
-- priced: whether the block has a price of the chain's coin. Lines that end in a chain's name are left out elsewhere: a block of Bitcoin is priced by itself, one of Ethereum by the newest price that is not more than an hour older.
-- Grain: one block. Parameters: chain, below (exclusive), since, until (Unix milliseconds), min_usd, limit. Sort key: (chain, block_number) of all three tables; prices (chain, token, block_number).
WITH
  page AS (
    SELECT chain, block_number, block_hash, block_time, tx_count, log_count, gas_used, internal_complete
    FROM blocks
    WHERE chain = {chain:String} AND block_number < {below:UInt64}
      AND block_time >= fromUnixTimestamp64Milli({since:Int64}) AND block_time <= fromUnixTimestamp64Milli({until:Int64})
    ORDER BY chain DESC, block_number DESC
    LIMIT {limit:UInt32}
  ),
  (SELECT (min(block_number), max(block_number)) FROM page) AS span
SELECT
  r.usd > 0 AND r.block_number = p.block_number AS priced, -- Bitcoin
  r.usd > 0 AND r.block_time >= p.block_time - INTERVAL 3600 SECOND AS priced, -- Ethereum
  toFloat64(p.block_number) AS block_number, concat('0x', lower(hex(p.block_hash))) AS block_hash, p.block_time AS timestamp, p.tx_count AS tx_count, p.log_count AS log_count,
  toString(p.gas_used) AS gas_used, p.internal_complete AS internal_complete, toFloat64(w.whales) AS whale_count, ifNull(w.usd, 0) AS whale_usd, toFloat64(c.total) AS event_count,
  CAST(c.events, 'Array(Tuple(chunk_id String, topic String, tx_hash String, position UInt32, text String, value_usd Nullable(Float64)))') AS events
FROM page AS p
ASOF LEFT JOIN (
  SELECT chain, block_number, block_time, usd FROM prices WHERE chain = {chain:String} AND token = toFixedString('', 20) AND block_number BETWEEN if(span.1 > 3600, span.1 - 3600, 0) AND span.2
) AS r ON r.chain = p.chain AND r.block_number <= p.block_number
LEFT JOIN (
  SELECT block_number, count() AS whales, toFloat64(sum(toDecimal256(least(ifNull(value_usd, 0), 1e60), 6))) AS usd FROM transfers
  WHERE chain = {chain:String} AND block_number BETWEEN span.1 AND span.2 AND value_usd >= {min_usd:Float64} AND kind NOT IN ('wrap', 'unwrap')
  GROUP BY block_number
) AS w ON w.block_number = p.block_number
LEFT JOIN (
  SELECT block_number, count() AS total,
    arraySlice(groupArray((lower(hex(chunk_id)), toString(topic), concat('0x', lower(hex(tx_hash))), position, text, value_usd)), 1, 10) AS events
  FROM (
    SELECT * FROM chunks
    WHERE chain = {chain:String} AND block_number BETWEEN span.1 AND span.2 AND (value_usd >= {min_usd:Float64} OR value_usd IS NULL)
    ORDER BY block_number, value_usd DESC NULLS LAST, position, chunk_id
  )
  GROUP BY block_number
) AS c ON c.block_number = p.block_number
ORDER BY p.block_number DESC
