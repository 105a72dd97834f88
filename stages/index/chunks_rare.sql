-- Rare events in one English line each: stablecoin, pool, liquidation. Grain: one event under one topic. Parameters: chain, from, to,
-- generation. A stablecoin of our own lists is told by its symbol, too, and in whole ones where its decimals are known. A pool has an address, or the id it has in its singleton. Sort keys: (chain, block_number, …) of transfers and logs; pool_sightings is pruned by its minimum and maximum of block_number.
INSERT INTO chunks (chain, block_number, topic, chunk_id, block_hash, block_time, tx_hash, position, text, value_usd, addresses, generation)
WITH events AS (
  SELECT block_number, 'stablecoin' AS topic, block_hash, block_time, tx_hash, position, CAST(NULL, 'Nullable(Float64)') AS value_usd,
    concat('Stablecoin ', kind, ': ', multiIf(kind = 'freeze', '', isNull(described.2), concat(toString(amount), ' smallest units of '), concat(if(whole < 1e59, toDecimalString(least(whole, 1e59), 4), toString(whole)), ' ')),
      if(described.3 = 1 AND described.1 != '', concat(described.1, ' (', at, ')'), concat('token ', at)), ', account 0x', lower(hex(account))) AS line,
    [at, concat('0x', lower(hex(account)))] AS addresses
  FROM (
    SELECT *, concat('0x', lower(hex(token))) AS at, dictGet('token_of', ('symbol', 'decimals', 'listed'), ({chain:String}, at)) AS described, toFloat64(amount) / pow(10, ifNull(described.2, 0)) AS whole
    FROM stablecoin_events WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
  )
  UNION ALL
  SELECT block_number, 'pool', block_hash, block_time, tx_hash, log_index, NULL,
    concat('New pool on ', protocol, ': ', if(at = '', concat('0x', lower(hex(pool))), at), ' of tokens ', arrayStringConcat(arrayMap(t -> concat('0x', lower(hex(t))), tokens), ' and ')),
    arrayConcat(arrayMap(t -> concat('0x', lower(hex(t))), tokens), if(at = '', [], [at]))
  FROM (SELECT *, if(startsWith(pool, toFixedString('', 12)), concat('0x', lower(hex(substring(pool, 13)))), '') AS at FROM pool_sightings) AS p WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND source = 'created' AND trusted
  UNION ALL
  SELECT block_number, 'liquidation', block_hash, block_time, tx_hash, position, told_usd,
    concat('Liquidation on ', protocol, ': the position of 0x', lower(hex(borrower)), ' by 0x', lower(hex(liquidator)), ', ', toString(amount), ' smallest units',
      if(token = toFixedString('', 20), '', concat(' of token 0x', lower(hex(token))))),
    [concat('0x', lower(hex(borrower))), concat('0x', lower(hex(liquidator)))]
  FROM liquidations WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
)
SELECT {chain:String}, block_number, topic,
  SHA256(concat({chain:String}, '|', topic, '|', lower(hex(block_hash)), '|', lower(hex(tx_hash)), '|', toString(position))),
  block_hash, block_time, tx_hash, position, concat(line, ', in transaction 0x', lower(hex(tx_hash)), ' of block ', toString(block_number), '.'),
  value_usd, addresses, {generation:UInt32}
FROM events
ORDER BY block_number, topic, position
