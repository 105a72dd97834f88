-- Blocks, and swaps from $50,000, in one English line each. Grain: one event under one topic: block or swap.
-- A token of our own lists is told by its symbol, too, as it was when the swap was enriched; any other by its address alone, and dollars by such a one as what its own pools say.
-- Parameters: chain, from, to, generation. Sort keys: (chain, block_number, …) of swaps and blocks.
INSERT INTO chunks (chain, block_number, topic, chunk_id, block_hash, block_time, tx_hash, position, text, value_usd, addresses, generation)
SELECT {chain:String}, block_number, topic,
  SHA256(concat({chain:String}, '|', topic, '|', lower(hex(block_hash)), '|', hash, '|', toString(position))),
  block_hash, block_time, tx_hash, position, if(topic = 'block', concat(line, '.'), concat(line, ', in transaction 0x', hash, ' of block ', toString(block_number), '.')),
  value_usd, addresses, {generation:UInt32}
FROM (
  SELECT block_number, 'swap' AS topic, block_hash, block_time, tx_hash, lower(hex(tx_hash)) AS hash, log_index AS position, value_usd,
    concat('Large swap: ', if(own_pools, 'about ', ''), '$', if(usd < 1e59, trimLeft(reverse(replaceRegexpAll(reverse(toDecimalString(least(usd, 1e59), 0)), '(\\d{3})', '\\1,')), ','), toString(assumeNotNull(value_usd))), if(own_pools, concat(' by the own pools of token ', pricing), ''),
      ' on ', protocol, ', ', named[1], ' sold ', told[1], ' for ', told[2]) AS line,
    named AS addresses
  FROM (
    SELECT *, round(assumeNotNull(value_usd)) AS usd, arrayMap(a -> concat('0x', lower(hex(a))), [trader, token_sold, token_bought]) AS named, named[if(price_side = 'sold', 2, 3)] AS pricing,
      pricing != concat('0x', repeat('0', 40)) AND NOT dictGet('token_of', 'listed', ({chain:String}, pricing)) AND price_method NOT IN ('chainlink', 'peg') AS own_pools,
      arrayMap((at, symbol) -> if(symbol != '' AND dictGet('token_of', 'listed', ({chain:String}, at)), concat(symbol, ' (', at, ')'), concat('token ', at)), [named[2], named[3]], [toString(token_sold_symbol), toString(token_bought_symbol)]) AS told
    FROM swaps WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND value_usd >= 50000 AND NOT aggregator
  )
  UNION ALL
  SELECT block_number, 'block', block_hash, block_time, toFixedString('', 32) AS none, lower(hex(none)), 0, NULL,
    concat('Block ', toString(block_number), ' of ', toString(toDateTime(block_time)), ' UTC: ', toString(tx_count), ' transactions, ', toString(log_count), ' logs, ',
      toString(gas_used), ' of ', toString(gas_limit), ' gas used, miner ', by),
    [by]
  FROM (SELECT *, concat('0x', lower(hex(miner))) AS by FROM blocks WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32})
)
ORDER BY block_number, topic, position
