-- Prices that Chainlink's oracles publish, read from the logs of their aggregators (not of the proxies).
-- Grain: one token at one block in which its oracle answered; the last answer of a block counts. Parameters: chain, from, to, generation.
-- A stablecoin whose oracle answers within half a percent of a dollar is worth one by peg; trades, the number of answers, tells such a row from a peg nobody was asked about.
-- Sort key of logs: (chain, block_number, log_index). An aggregator that Chainlink has replaced falls silent, and market prices (or the peg) take over.
INSERT INTO prices (chain, token, block_number, block_time, block_hash, usd, method, trades, depth_usd, generation)
WITH map(
  '0xe62b71cf983019bff55bc83b48601ce8419650cc', ['0x0000000000000000000000000000000000000000', '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'],
  '0xdbe1941bfbe4410d6865b9b7078e0b49af144d2d', ['0x2260fac5e5542a773aa44fbcfedf7c193bc2c599'],
  '0xda31bc2b08f22ae24aed5f6eb1e71e96867ba196', ['0xae7ab96520de3a18e5e111b5eaab095312d7fe84'],
  '0x789190466e21a8b78b8027866cbbdc151542a26c', ['0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'],
  '0x478238a1c8b862498c74d0647329aef9ea6819ed', ['0x6b175474e89094c44da98b954eedeac495271d0f']) AS feeds,
  argMax(answer, log_index) AS newest, any(stable) AND newest BETWEEN 99500000 AND 100500000 AS held
SELECT {chain:String}, toFixedString(unhex(substring(arrayJoin(feeds[concat('0x', lower(hex(address)))]), 3)), 20) AS token, block_number,
  any(block_time), any(block_hash), if(held, 1, toFloat64(newest) / 1e8), if(held, 'peg', 'chainlink'), toUInt32(count()), 0, {generation:UInt32}
FROM (
  SELECT address, block_number, block_time, block_hash, log_index, reinterpretAsInt256(reverse(topic1)) AS answer,
    address IN (unhex('789190466e21a8b78b8027866cbbdc151542a26c'), unhex('478238a1c8b862498c74d0647329aef9ea6819ed')) AS stable
  FROM logs
  WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND topic_count = 3
    AND topic0 = unhex('0559884fd3a460db3073b7fc896cc77986f16e378210ded43186175bf646fc5f')
    AND address IN (unhex('e62b71cf983019bff55bc83b48601ce8419650cc'), unhex('dbe1941bfbe4410d6865b9b7078e0b49af144d2d'), unhex('da31bc2b08f22ae24aed5f6eb1e71e96867ba196'),
      unhex('789190466e21a8b78b8027866cbbdc151542a26c'), unhex('478238a1c8b862498c74d0647329aef9ea6819ed'))
)
WHERE answer > 0
GROUP BY address, block_number
ORDER BY token, block_number
