-- Lands a batch's answers byte for byte and says of each block whether its answers are whole and belong together.
-- Grain: one block. Parameters: chain, generation. Data: RowBinary rows (number, endpoint, block, receipts,
-- traces, tracesKind), one per block; traces and tracesKind are empty where the node has none.
-- problem is what was wrong ('' if nothing). Traces nested deeper than the server's JSON parser goes (about 510 frames) are left out, and
-- the block then counts as incomplete inside.
INSERT INTO raw_payloads (chain, number, kind, block_hash, parent_hash, problem, generation, endpoint, fetched_at, payload, receipts, traces, traces_kind)
SELECT {chain:String}, number, 'block', toFixedString(unhex(substring(b.hash, 3)), 32), toFixedString(unhex(substring(b.parentHash, 3)), 32),
  problem, {generation:UInt32}, endpoint, now64(3, 'UTC'), block, receipts, if(tooDeep, '', traces), if(tooDeep, '', tracesKind)
FROM (
  SELECT number, endpoint, block, receipts, traces, tracesKind,
    JSONExtract(block, 'result', 'Tuple(number String, hash String, parentHash String, transactions Array(Tuple(hash String)))') AS b,
    JSONExtract(receipts, 'result', 'Array(Tuple(transactionHash String, blockHash String))') AS r,
    tracesKind != '' AND endsWith(trimRight(traces), '}') AND NOT isValidJSON(traces) AS tooDeep,
    multiIf(
      length(b.hash) != 66, multiIf(NOT isValidJSON(block), 'block: truncated or not JSON', JSONHas(block, 'error'), concat('block: ', left(JSONExtractRaw(block, 'error'), 200)), 'block: null or without a hash'),
      reinterpretAsUInt64(reverse(unhex(substring(b.number, 3)))) != number, concat('block: asked for ', toString(number), ', got ', b.number),
      length(b.parentHash) != 66, 'block: without a parent hash',
      length(r) != length(b.transactions), multiIf(NOT isValidJSON(receipts), 'receipts: truncated or not JSON', JSONHas(receipts, 'error'), concat('receipts: ', left(JSONExtractRaw(receipts, 'error'), 200)),
        JSONExtractRaw(receipts, 'result') = 'null', 'receipts: null', concat('receipts: ', toString(length(r)), ' for ', toString(length(b.transactions)), ' transactions')),
      arrayExists(x -> x.2 != b.hash, r), 'receipts: of another block',
      arrayMap(x -> x.1, r) != arrayMap(x -> x.1, b.transactions), 'receipts: of other transactions, or out of order',
      length(b.transactions) > 0 AND b.transactions[1].1 = '', 'block: without full transactions',
      tooDeep, '',
      tracesKind != '' AND JSONType(traces, 'result') != 'Array', 'traces: truncated or not JSON',
      tracesKind = 'call_traces' AND JSONLength(traces, 'result') != length(b.transactions), concat('traces: ', toString(JSONLength(traces, 'result')), ' for ', toString(length(b.transactions)), ' transactions'),
      tracesKind = 'parity_traces' AND JSONLength(traces, 'result') > 0 AND JSONExtractString(traces, 'result', 1, 'blockHash') NOT IN ('', b.hash), 'traces: of another block',
      ''
    ) AS problem
  FROM input('number UInt64, endpoint String, block String, receipts String, traces String, tracesKind String')
)
FORMAT RowBinary
