-- Blocks and their notable events in one English line each: swap (from $50,000), stablecoin, pool, liquidation, block. Grain: one event
-- under one topic. Parameters: chain, from, to, generation. Sort keys: (chain, block_number, …) of swaps, transfers, logs, blocks;
-- pool_sightings is read by pool, so its rows of the batch are found by the pools of the batch's logs.
INSERT INTO chunks (chain, block_number, topic, chunk_id, block_hash, block_time, tx_hash, position, text, value_usd, addresses, generation)
WITH events AS (
  SELECT block_number, 'swap' AS topic, block_hash, block_time, tx_hash, log_index AS position, value_usd,
    concat('Large swap: $', toDecimalString(round(assumeNotNull(value_usd)), 0), ' on ', protocol, ', ', concat('0x', lower(hex(trader))), ' sold token 0x', lower(hex(token_sold)),
      ' for token 0x', lower(hex(token_bought))) AS line,
    [concat('0x', lower(hex(trader))), concat('0x', lower(hex(token_sold))), concat('0x', lower(hex(token_bought)))] AS addresses
  FROM swaps WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND value_usd >= 50000 AND NOT aggregator
  UNION ALL
  SELECT block_number, 'stablecoin', block_hash, block_time, tx_hash, position, NULL,
    concat('Stablecoin ', kind, ': ', if(kind = 'freeze', '', concat(toString(amount), ' smallest units of ')), 'token 0x', lower(hex(token)), ', account 0x', lower(hex(account))),
    [concat('0x', lower(hex(token))), concat('0x', lower(hex(account)))]
  FROM stablecoin_events WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
  UNION ALL
  SELECT block_number, 'pool', block_hash, block_time, tx_hash, log_index, NULL,
    concat('New pool on ', protocol, ': 0x', lower(hex(pool)), ' of tokens ', arrayStringConcat(arrayMap(t -> concat('0x', lower(hex(t))), tokens), ' and ')),
    arrayMap(t -> concat('0x', lower(hex(t))), tokens)
  FROM pool_sightings WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND source = 'created' AND trusted
  UNION ALL
  SELECT block_number, 'liquidation', block_hash, block_time, tx_hash, position, told_usd,
    concat('Liquidation on ', protocol, ': the position of 0x', lower(hex(borrower)), ' by 0x', lower(hex(liquidator)), ', ', toString(amount), ' smallest units',
      if(token = toFixedString('', 20), '', concat(' of token 0x', lower(hex(token))))),
    [concat('0x', lower(hex(borrower))), concat('0x', lower(hex(liquidator)))]
  FROM liquidations WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
  UNION ALL
  SELECT block_number, 'block', block_hash, block_time, toFixedString('', 32), 0, NULL,
    concat('Block ', toString(block_number), ' of ', toString(toDateTime(block_time)), ' UTC: ', toString(tx_count), ' transactions, ', toString(log_count), ' logs, ',
      toString(gas_used), ' of ', toString(gas_limit), ' gas used, miner 0x', lower(hex(miner))),
    [concat('0x', lower(hex(miner)))]
  FROM blocks WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
)
SELECT {chain:String}, block_number, topic,
  SHA256(concat({chain:String}, '|', topic, '|', lower(hex(block_hash)), '|', lower(hex(tx_hash)), '|', toString(position))),
  block_hash, block_time, tx_hash, position, if(topic = 'block', concat(line, '.'), concat(line, ', in transaction 0x', lower(hex(tx_hash)), ' of block ', toString(block_number), '.')),
  value_usd, addresses, {generation:UInt32}
FROM events
ORDER BY block_number, topic, position
