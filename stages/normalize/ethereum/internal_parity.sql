-- Coin that moved inside transactions, from trace_block frames. Grain: one movement. Parameters: chain, from, to, generation.
-- Reads raw_payloads by its sort key (chain, kind, number) and transactions. Frames come flat, in the order of execution; position counts
-- them from 0. The top-level frame is the transaction itself (kind native). An error voids every frame whose path begins with that frame's.
-- A block that also has callTracer frames is read from those.
INSERT INTO movements
WITH
  frames AS (
    SELECT number, block_hash, trace, toUInt32(i - 1) AS position,
      arrayMap(t -> (t.transactionPosition, t.traceAddress), arrayFilter(t -> t.error != '', traces)) AS failed
    FROM (
      SELECT number, block_hash, JSONExtract(payload, 'result', 'Array(Tuple(type String, error String, transactionPosition UInt32, traceAddress Array(UInt32),
        action Tuple(callType String, `from` String, `to` String, value String, address String, refundAddress String, balance String),
        result Tuple(address String)))') AS traces
      FROM raw_payloads
      WHERE chain = {chain:String} AND number BETWEEN {from:UInt64} AND {to:UInt64} AND kind = 'parity_traces' AND problem = '' AND generation = {generation:UInt32}
        AND number NOT IN (
          SELECT number FROM raw_payloads
          WHERE chain = {chain:String} AND number BETWEEN {from:UInt64} AND {to:UInt64} AND kind = 'call_traces' AND problem = '' AND generation = {generation:UInt32}
        )
      LIMIT 1 BY number
    )
    ARRAY JOIN traces AS trace, arrayEnumerate(traces) AS i
  ),
  paid AS (
    SELECT number, block_hash, position, failed, trace.transactionPosition AS tx_index, trace.traceAddress AS path,
      if(trace.type = 'suicide', trace.action.address, trace.action.from) AS payer,
      multiIf(trace.type = 'suicide', trace.action.refundAddress, trace.type = 'create', trace.result.address, trace.action.to) AS payee,
      reinterpretAsUInt256(reverse(unhex(substring(if(trace.type = 'suicide', trace.action.balance, trace.action.value), 3)))) AS amount
    FROM frames
    WHERE notEmpty(trace.traceAddress) AND amount > 0
      AND (trace.type IN ('create', 'suicide') OR (trace.type = 'call' AND trace.action.callType = 'call'))
  )
SELECT {chain:String} AS chain, number AS block_number, 'internal' AS kind, position, toUInt32(0) AS sub, paid.block_hash AS block_hash, sent.block_time AS block_time,
  paid.tx_index AS tx_index, sent.tx_hash AS tx_hash, toFixedString('', 20) AS token, toFixedString(unhex(substring(payer, 3)), 20) AS from_address,
  toFixedString(unhex(substring(payee, 3)), 20) AS to_address, amount, toUInt256(0) AS token_id, {generation:UInt32} AS generation
FROM paid INNER JOIN (
  SELECT block_number, tx_index, tx_hash, block_time FROM transactions
  WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
) AS sent ON sent.block_number = paid.number AND sent.tx_index = paid.tx_index
WHERE NOT arrayExists(f -> f.1 = paid.tx_index AND f.2 = arraySlice(path, 1, length(f.2)), failed)
