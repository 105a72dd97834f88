-- Coin that moved inside transactions, from callTracer frames. Grain: one movement. Parameters: chain, from, to, generation.
-- Reads raw_payloads by its sort key (chain, kind, number) and transactions. Frames nest without a bound, so each step of the recursion
-- opens one level. position is the number of the frame in the block, counted from 0 in the order of execution, all frames counted.
-- The top-level frame is the transaction itself (kind native). An error voids a frame and all below it.
INSERT INTO movements
WITH RECURSIVE
  traced AS (
    SELECT number, block_hash, JSONExtract(payload, 'result',
      'Array(Tuple(result Tuple(type String, `from` String, `to` String, value String, error String, calls String)))') AS traces
    FROM raw_payloads
    WHERE chain = {chain:String} AND number BETWEEN {from:UInt64} AND {to:UInt64} AND kind = 'call_traces' AND problem = '' AND generation = {generation:UInt32}
    LIMIT 1 BY number
  ),
  frames AS (
    SELECT number, block_hash, toUInt32(i - 1) AS tx_index, emptyArrayUInt32() AS path, trace.1 AS frame, frame.error != '' AS void
    FROM traced ARRAY JOIN traces AS trace, arrayEnumerate(traces) AS i
    UNION ALL
    SELECT number, block_hash, tx_index, arrayPushBack(path, toUInt32(i)), call, void OR call.error != ''
    FROM (
      SELECT number, block_hash, tx_index, path, void,
        JSONExtract(frame.calls, 'Array(Tuple(type String, `from` String, `to` String, value String, error String, calls String))') AS calls
      FROM frames WHERE frame.calls != ''
    )
    ARRAY JOIN calls AS call, arrayEnumerate(calls) AS i
  ),
  numbered AS (
    SELECT number, block_hash, tx_index, frame.type AS type, frame.from AS payer, frame.to AS payee, frame.value AS value, void, length(path) AS depth,
      toUInt32(row_number() OVER (PARTITION BY number ORDER BY tx_index, path) - 1) AS position
    FROM frames
  ),
  paid AS (
    SELECT *, reinterpretAsUInt256(reverse(unhex(substring(value, 3)))) AS amount FROM numbered
    WHERE depth > 0 AND NOT void AND type IN ('CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT') AND value NOT IN ('', '0x', '0x0')
  )
SELECT {chain:String} AS chain, number AS block_number, 'internal' AS kind, position, toUInt32(0) AS sub, paid.block_hash AS block_hash, sent.block_time AS block_time,
  paid.tx_index AS tx_index, sent.tx_hash AS tx_hash, toFixedString('', 20) AS token, toFixedString(unhex(substring(payer, 3)), 20) AS from_address,
  toFixedString(unhex(substring(payee, 3)), 20) AS to_address, amount, toUInt256(0) AS token_id, {generation:UInt32} AS generation
FROM paid INNER JOIN (
  SELECT block_number, tx_index, tx_hash, block_time FROM transactions
  WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
) AS sent ON sent.block_number = paid.number AND sent.tx_index = paid.tx_index
WHERE amount > 0
-- The server's JSON parser stops at about 510 nested frames; ingest lets no such answer through as good.
SETTINGS max_recursive_cte_evaluation_depth = 1100
