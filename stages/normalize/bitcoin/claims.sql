-- Blocks whose coinbase pays more than subsidy and fees, and transactions that pay more than they have: no node takes such a block, so either
-- the subsidy of another network was counted with or a prevout is wrong. Grain: one incident for each block, the same again on a repeat.
-- Parameters: chain, from, to, generation. Sort keys: btc_blocks (chain, block_number), btc_transactions (chain, block_number, tx_index).
-- A coinbase may pay less: miners have thrown coins away.
INSERT INTO incidents (id, chain, kind, severity, summary, detail, opened_at, closed_at, at)
SELECT concat('btc_claim|', {chain:String}, '|', lower(hex(b.block_hash))), {chain:String}, 'unbalanced_block', 'warning',
  concat('Block ', toString(b.block_number), ': ', if(t.short > 0, concat(toString(t.short), ' transactions pay more than they have'),
    concat('its coinbase pays ', toString(t.paid), ' satoshis, subsidy and fees are ', toString(b.subsidy + assumeNotNull(b.fees))))),
  'Amounts of this block are not to be relied on', now64(3), NULL, now64(6)
FROM (
  SELECT block_number, block_hash, subsidy, fees FROM btc_blocks WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
) AS b
INNER JOIN (
  SELECT block_number, sumIf(output_value, coinbase) AS paid, countIf(NOT coinbase AND input_value < output_value) AS short FROM btc_transactions
  WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
  GROUP BY block_number
) AS t ON t.block_number = b.block_number
WHERE t.short > 0 OR t.paid > b.subsidy + b.fees
