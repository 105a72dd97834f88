-- Coin that moved inside transactions, from the frames of either tracer. Grain: one movement. Parameters: chain, from, to, generation.
-- Reads raw_payloads by its sort key (chain, kind, number) and transactions. position is the number of the frame in the block, counted from 0
-- in the order of execution, all frames counted. The top-level frame is the transaction itself: movements.sql
-- has it (kind native), but for a transaction of unknown status, whose frame says whether it failed. An error voids a frame and
-- all below it. callTracer frames nest without a bound, so each step of the recursion opens one level; trace_block frames come flat, and
-- what lies below a frame has a path that begins with that frame's. Of a block that landed with both, by attempts that ran into each other, only callTracer's are read.
INSERT INTO movements
WITH RECURSIVE
  frames AS (
    SELECT number, block_hash, toUInt32(i - 1) AS tx_index, emptyArrayUInt32() AS path, trace.1 AS frame, frame.error != '' AS void
    FROM (
      SELECT number, block_hash, JSONExtract(raw_payloads.traces, 'result',
        'Array(Tuple(result Tuple(type String, `from` String, `to` String, value String, error String, calls String)))') AS traces
      FROM raw_payloads
      WHERE chain = {chain:String} AND number BETWEEN {from:UInt64} AND {to:UInt64} AND kind = 'block' AND traces_kind = 'call_traces' AND problem = '' AND generation = {generation:UInt32}
      LIMIT 1 BY number
    )
    ARRAY JOIN traces AS trace, arrayEnumerate(traces) AS i
    UNION ALL
    SELECT number, block_hash, tx_index, arrayPushBack(path, toUInt32(i)), call, void OR call.error != ''
    FROM (
      SELECT number, block_hash, tx_index, path, void,
        JSONExtract(frame.calls, 'Array(Tuple(type String, `from` String, `to` String, value String, error String, calls String))') AS calls
      FROM frames WHERE frame.calls != ''
    )
    ARRAY JOIN calls AS call, arrayEnumerate(calls) AS i
  ),
  nested AS (
    SELECT number, block_hash, tx_index, path, frame.from AS payer, frame.to AS payee, frame.value AS value, void,
      toUInt32(row_number() OVER (PARTITION BY number ORDER BY tx_index, path) - 1) AS position,
      frame.type IN ('CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT') AS pays
    FROM frames
  )
SELECT {chain:String} AS chain, number AS block_number, if(empty(path), 'native', 'internal') AS kind, if(empty(path), tx_index, position) AS position, toUInt32(0) AS sub,
  block_hash, sent.time AS block_time, tx_index, sent.hash AS tx_hash,
  toFixedString('', 20) AS token, toFixedString(unhex(substring(payer, 3)), 20) AS from_address, toFixedString(unhex(substring(payee, 3)), 20) AS to_address,
  reinterpretAsUInt256(reverse(unhex(substring(value, 3)))) AS amount, toUInt256(0) AS token_id, {generation:UInt32} AS generation
FROM (
  SELECT number, block_hash, tx_index, position, path, payer, payee, value FROM (
    SELECT number, block_hash, tx_index, position, path, payer, payee, value, void, pays FROM nested
    UNION ALL SELECT * FROM (
      WITH
        listed AS (
          SELECT number, block_hash, JSONExtract(raw_payloads.traces, 'result', 'Array(Tuple(type String, error String, transactionPosition UInt32, traceAddress Array(UInt32),
            action Tuple(callType String, `from` String, `to` String, value String, address String, refundAddress String, balance String),
            result Tuple(address String)))') AS traces
          FROM raw_payloads
          WHERE chain = {chain:String} AND number BETWEEN {from:UInt64} AND {to:UInt64} AND kind = 'block' AND traces_kind = 'parity_traces' AND problem = '' AND generation = {generation:UInt32}
            AND number NOT IN (SELECT number FROM raw_payloads WHERE chain = {chain:String} AND number BETWEEN {from:UInt64} AND {to:UInt64} AND kind = 'block' AND traces_kind = 'call_traces' AND problem = '' AND generation = {generation:UInt32})
          LIMIT 1 BY number
        ),
        flat AS (
          SELECT number, block_hash, trace.transactionPosition AS tx_index, trace.traceAddress AS path, trace.action AS action, trace.type = 'suicide' AS dies,
            if(dies, action.address, action.from) AS payer, multiIf(dies, action.refundAddress, trace.type = 'create', trace.result.address, action.to) AS payee,
            if(dies, action.balance, action.value) AS value, trace.error != '' AS failed, toUInt32(i - 1) AS position, dies OR trace.type = 'create' OR (trace.type = 'call' AND action.callType = 'call') AS pays
          FROM listed ARRAY JOIN traces AS trace, arrayEnumerate(traces) AS i
        )
      -- In the order of paths what lies below a frame follows it at once, up to its path with the largest number behind: of all that failed before a frame the furthest such end
      -- says whether it lies below any. A list beside each frame, of what failed or of all that is above it, would grow with a square of what anybody can put into one block.
      SELECT number, block_hash, tx_index, position, path, payer, payee, value,
        max(if(failed, arrayPushBack(path, 4294967295), emptyArrayUInt32())) OVER (PARTITION BY number, tx_index ORDER BY path ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) > path AS void, pays
      FROM flat
    )
  )
  WHERE pays AND NOT void AND notEmpty(replaceRegexpOne(value, '^0x0*', ''))
) AS paid INNER JOIN (
  SELECT block_number AS at, tx_index AS sent_index, tx_hash AS hash, block_time AS time, status IS NULL AS unknown FROM transactions
  WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
) AS sent ON sent.at = paid.number AND sent.sent_index = paid.tx_index
WHERE notEmpty(path) OR sent.unknown
-- The server's JSON parser stops at about 510 nested frames; ingest leaves such traces out.
SETTINGS max_recursive_cte_evaluation_depth = 1100
