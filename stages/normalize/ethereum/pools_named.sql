-- Pools and their tokens as swaps of this batch named them. Grain: one pool of one transaction whose swaps named both tokens; they stand
-- in the order of their addresses. All are kept, for a rollback may take any of them: who reads them does so by pool. Parameters: chain, from, to, generation. Reads swap_legs by its sort key (chain, block_number).
INSERT INTO pool_sightings
SELECT {chain:String}, pool, block_number, min(log_index), any(block_hash), any(block_time), any(tx_hash), any(protocol), 'inferred', any(factory), any(trusted),
  arraySort([token_sold, token_bought]) AS tokens, 0, {generation:UInt32}
FROM swap_legs
WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
  AND NOT aggregator AND token_sold_known AND token_bought_known
GROUP BY pool, block_number, tx_index, tokens
