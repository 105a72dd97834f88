-- What ordinary movements look like: a copy of recorded ones, numbered. Grain: one movement. Sort key of transfers: (chain, block_number, …).
INSERT INTO bench_mix
SELECT rowNumberInAllBlocks(), kind, token, token_symbol, token_decimals, amount, value_usd, price_method
FROM (SELECT * FROM transfers WHERE chain = 'ETH' AND kind IN ('native', 'erc20') AND amount < bitShiftLeft(toUInt256(1), 160) ORDER BY block_number, kind, position, sub)
