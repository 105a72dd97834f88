-- Prices that Chainlink's oracles publish, read from the logs of their aggregators (not of the proxies).
-- Grain: one token at one block in which its oracle answered; the last answer of a block counts. Parameters: chain, from, to, generation.
-- Sort key of logs: (chain, block_number, log_index). An aggregator that Chainlink has replaced falls silent, and market prices take over.
INSERT INTO prices (chain, token, block_number, block_time, block_hash, usd, method, trades, depth_usd, generation)
WITH map(
  '0xe62b71cf983019bff55bc83b48601ce8419650cc', ['0x0000000000000000000000000000000000000000', '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'],
  '0xdbe1941bfbe4410d6865b9b7078e0b49af144d2d', ['0x2260fac5e5542a773aa44fbcfedf7c193bc2c599']) AS feeds
SELECT {chain:String}, toFixedString(unhex(substring(arrayJoin(feeds[concat('0x', lower(hex(address)))]), 3)), 20) AS token, block_number,
  any(block_time), any(block_hash), toFloat64(argMax(answer, log_index)) / 1e8, 'chainlink', toUInt32(count()), 0, {generation:UInt32}
FROM (
  SELECT address, block_number, block_time, block_hash, log_index, reinterpretAsInt256(reverse(topic1)) AS answer
  FROM logs
  WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND topic_count = 3
    AND topic0 = unhex('0559884fd3a460db3073b7fc896cc77986f16e378210ded43186175bf646fc5f')
    AND address IN (toFixedString(unhex('e62b71cf983019bff55bc83b48601ce8419650cc'), 20), toFixedString(unhex('dbe1941bfbe4410d6865b9b7078e0b49af144d2d'), 20))
)
WHERE answer > 0
GROUP BY address, block_number
ORDER BY token, block_number
