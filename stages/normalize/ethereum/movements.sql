-- Value that moved by transactions, withdrawals and logs. Grain: one movement. Parameters: chain, from, to, generation.
-- Reads transactions, withdrawals and logs by their sort keys (chain, block_number). A log that does not fit its event to the byte is
-- left out. WETH emits no Transfer when it is minted (Deposit) or burnt (Withdrawal): only the real WETH's events are believed.
-- chain and generation carry no alias: WHERE would read the alias, and let every chain and generation in.
INSERT INTO movements
WITH
  unhex('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef') AS transfer,
  unhex('c3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62') AS transfer_single,
  unhex('4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb') AS transfer_batch,
  unhex('e1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c') AS deposit,
  unhex('7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65') AS withdrawal,
  unhex('c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2') AS weth,
  unhex('000000000000000000000000') AS pad,
  toFixedString('', 20) AS zero
-- Transactions that carried value and are known to have succeeded; a creation paid the new contract. One whose status is unknown (before
-- Byzantium, all gas used, no logs) is left to the traces (internal.sql); without them it is not claimed, and its block is not complete inside.
SELECT {chain:String}, block_number, 'native' AS kind, tx_index AS position, toUInt32(0) AS sub, block_hash, block_time, tx_index, tx_hash,
  zero AS token, from_address, if(creates_contract, contract_address, to_address) AS to_address, value AS amount, toUInt256(0) AS token_id,
  {generation:UInt32}
FROM transactions
WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
  AND value > 0 AND status = 1
UNION ALL
SELECT {chain:String}, block_number, 'withdrawal', toUInt32(row_number() OVER (PARTITION BY block_number ORDER BY withdrawal_index) - 1), 0,
  block_hash, block_time, 0, toFixedString('', 32), zero, zero, address, amount, toUInt256(0), {generation:UInt32}
FROM withdrawals
WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
UNION ALL
SELECT {chain:String}, block_number,
  multiIf(topic0 = deposit, 'wrap', topic0 = withdrawal, 'unwrap', topic0 = transfer_single, 'erc1155', topic_count = 4, 'erc721', 'erc20') AS kind,
  log_index, 0, block_hash, block_time, tx_index, tx_hash, address,
  toFixedString(multiIf(kind = 'wrap', zero, kind = 'erc1155', substring(topic2, 13), substring(topic1, 13)), 20),
  toFixedString(multiIf(kind = 'unwrap', zero, kind = 'wrap', substring(topic1, 13), kind = 'erc1155', substring(topic3, 13), substring(topic2, 13)), 20),
  multiIf(kind = 'erc721', toUInt256(1), kind = 'erc1155', reinterpretAsUInt256(reverse(substring(data, 33, 32))), reinterpretAsUInt256(reverse(substring(data, 1, 32)))),
  multiIf(kind = 'erc721', reinterpretAsUInt256(reverse(topic3)), kind = 'erc1155', reinterpretAsUInt256(reverse(substring(data, 1, 32))), toUInt256(0)),
  {generation:UInt32}
FROM logs
WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
  AND topic0 IN (transfer, transfer_single, deposit, withdrawal)
  AND multiIf(
    topic0 = transfer, startsWith(topic1, pad) AND startsWith(topic2, pad) AND ((topic_count = 3 AND length(data) = 32) OR (topic_count = 4 AND length(data) = 0)),
    topic0 = transfer_single, topic_count = 4 AND length(data) = 64 AND startsWith(topic2, pad) AND startsWith(topic3, pad),
    address = weth AND topic_count = 2 AND length(data) = 32 AND startsWith(topic1, pad))
UNION ALL
-- ERC-1155 batches: two arrays, each at its offset, of one length, inside the data; anything else is left out whole. Each is cut into its words
-- before there is a row for each pair: the data beside every pair would grow with the square of what one log holds.
SELECT {chain:String}, block_number, 'erc1155', log_index, toUInt32(place - 1), block_hash, block_time, tx_index, tx_hash, address, sender, receiver,
  reinterpretAsUInt256(reverse(unhex(moved))), reinterpretAsUInt256(reverse(unhex(named))),
  {generation:UInt32}
FROM (
  SELECT block_number, log_index, block_hash, block_time, tx_index, tx_hash, address,
    toFixedString(substring(topic2, 13), 20) AS sender, toFixedString(substring(topic3, 13), 20) AS receiver,
    toUInt256(length(data)) AS size, reinterpretAsUInt256(reverse(substring(data, 1, 32))) AS first, reinterpretAsUInt256(reverse(substring(data, 33, 32))) AS second,
    -- Offsets past the data point at its end, where there is no room for a length.
    toUInt64(least(first, size)) AS ids_at, toUInt64(least(second, size)) AS values_at,
    reinterpretAsUInt256(reverse(substring(data, ids_at + 1, 32))) AS ids, reinterpretAsUInt256(reverse(substring(data, values_at + 1, 32))) AS values,
    ids_at + 32 <= size AND values_at + 32 <= size AND ids = values AND ids <= intDiv(size, 32)
      AND toUInt256(greatest(ids_at, values_at)) + 32 + 32 * ids <= size AS sound,
    32 * if(sound, toUInt64(ids), 0) AS bytes,
    extractAll(hex(substring(data, ids_at + 33, bytes)), '.{64}') AS named_words, extractAll(hex(substring(data, values_at + 33, bytes)), '.{64}') AS moved_words
  FROM logs
  WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
    AND topic0 = transfer_batch AND topic_count = 4 AND length(data) >= 128 AND startsWith(topic2, pad) AND startsWith(topic3, pad)
)
ARRAY JOIN named_words AS named, moved_words AS moved, arrayEnumerate(named_words) AS place
