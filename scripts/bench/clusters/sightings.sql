-- What the index stage makes of the outputs, as far as clusters ask for it: whom they paid. Grain: one output. Parameters: from and to (heights).
INSERT INTO address_transfers (chain, address, block_number, kind, position, sub, direction, tx_hash, amount, generation)
SELECT 'BTC', toFixedString(substring(SHA256(address), 1, 20), 20), block_number, 'utxo', tx_index, vout, 'in', txid, toUInt256(value), 0
FROM btc_outputs WHERE chain = 'BTC' AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
