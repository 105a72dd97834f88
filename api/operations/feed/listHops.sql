-- Swap events of one transaction in the order of its logs.
-- Grain: one swap event. Parameters: chain, tx (hex without 0x), from, to (heights: its block, or all where that is not known), offset, limit. Sort key: swaps (chain, block_number, log_index), by the heights; of all, the bloom filter on tx_hash finds the granule.
SELECT log_index, protocol, aggregator, concat('0x', lower(hex(pool))) AS pool, trusted, concat('0x', lower(hex(trader))) AS trader, concat('0x', lower(hex(sender))) AS sender,
  concat('0x', lower(hex(recipient))) AS recipient, if(token_sold_known, concat('0x', lower(hex(s.token_sold))), NULL) AS token_sold, token_sold_symbol, token_sold_decimals,
  toString(s.amount_sold) AS amount_sold, if(token_bought_known, concat('0x', lower(hex(s.token_bought))), NULL) AS token_bought, token_bought_symbol, token_bought_decimals,
  toString(s.amount_bought) AS amount_bought, value_usd, price_method, price_side, toFloat64(s.block_number) AS block_number
FROM swaps AS s
WHERE s.chain = {chain:String} AND s.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND s.tx_hash = toFixedString(unhex({tx:String}), 32)
ORDER BY s.block_number, s.log_index
LIMIT {limit:UInt32} OFFSET {offset:UInt64}
