-- What ordinary swaps look like: a copy of recorded ones, numbered. Grain: one swap. Sort key of swaps: (chain, block_number, …).
INSERT INTO bench_swap_mix
SELECT rowNumberInAllBlocks(), protocol, aggregator, pool, trusted, token_sold, token_sold_known, token_sold_symbol, token_sold_decimals, amount_sold,
  token_bought, token_bought_known, token_bought_symbol, token_bought_decimals, amount_bought, value_usd, price_method, price_side
FROM (SELECT * FROM swaps WHERE chain = 'ETH' AND greatest(amount_sold, amount_bought) < bitShiftLeft(toUInt256(1), 160) ORDER BY block_number, log_index)
