-- Lands a batch's answers byte for byte and says of each block whether its answers are whole and belong together.
-- Grain: one block. Parameters: chain, generation. Data: RowBinary rows (number, endpoint, block, receipts,
-- traces, tracesKind), one per block; traces and tracesKind are empty where the node has none.
-- problem is what was wrong ('' if nothing): each transaction must have its receipt and, where there are traces, one top-level frame. Traces
-- nested deeper than the server's JSON parser goes (about 510 frames) are left out, and those of a block of which the tracer failed on a transaction (callTracer then
-- gives an element without a frame: it may fail on it for ever): the block then counts as incomplete inside.
INSERT INTO raw_payloads (chain, number, kind, block_hash, parent_hash, problem, generation, endpoint, fetched_at, payload, receipts, traces, traces_kind)
SELECT {chain:String}, number, 'block', toFixedString(unhex(substring(hash, 3)), 32), toFixedString(unhex(substring(parent, 3)), 32),
  -- First in one product, which reads no column twice; what is wrong is looked for only where something is.
  if((length(hash) = 66) * (reinterpretAsUInt64(reverse(unhex(substring(height, 3)))) = number) * (length(parent) = 66) * (done = sent) * (countEqual(of_block, hash) = length(of_block))
    * (empty(sent) + (sent[1] != '')) * (tracesKind = '') > 0, '', multiIf(
    length(hash) != 66, multiIf(NOT isValidJSON(block), 'block: truncated or not JSON', JSONHas(block, 'error'), concat('block: ', left(JSONExtractRaw(block, 'error'), 200)), 'block: null or without a hash'),
    reinterpretAsUInt64(reverse(unhex(substring(height, 3)))) != number, concat('block: asked for ', toString(number), ', got ', height),
    length(parent) != 66, 'block: without a parent hash',
    length(done) != length(sent), multiIf(NOT isValidJSON(receipts), 'receipts: truncated or not JSON', JSONHas(receipts, 'error'), concat('receipts: ', left(JSONExtractRaw(receipts, 'error'), 200)),
      JSONExtractRaw(receipts, 'result') = 'null', 'receipts: null', concat('receipts: ', toString(length(done)), ' for ', toString(length(sent)), ' transactions')),
    countEqual(of_block, hash) != length(of_block), 'receipts: of another block',
    done != sent, 'receipts: of other transactions, or out of order',
    length(sent) > 0 AND sent[1] = '', 'block: without full transactions',
    tooDeep, '',
    tracesKind != '' AND JSONType(traces, 'result') != 'Array', 'traces: truncated or not JSON',
    tracesKind = 'call_traces' AND listed != length(sent), concat('traces: ', toString(listed), ' for ', toString(length(sent)), ' transactions'),
    tracesKind = 'parity_traces' AND JSONLength(traces, 'result') > 0 AND JSONExtractString(traces, 'result', 1, 'blockHash') NOT IN ('', hash), 'traces: of another block',
    -- A reward has an empty path too, and is of no transaction.
    tracesKind = 'parity_traces' AND (arraySort(arrayMap(frame -> frame.1, arrayFilter(frame -> empty(frame.2) AND frame.1 IS NOT NULL,
      JSONExtract(traces, 'result', 'Array(Tuple(transactionPosition Nullable(UInt64), traceAddress Array(UInt64)))')))) AS roots) != range(length(sent)),
      concat('traces: ', toString(length(roots)), ' top-level frames for ', toString(length(sent)), ' transactions'),
    ''
  )),
  {generation:UInt32}, endpoint, now64(3, 'UTC'), block, receipts, if(tooDeep OR untraced, '', traces), if(tooDeep OR untraced, '', tracesKind)
FROM (
  -- Cut into columns of their own: a condition that names the whole head would carry its transactions along for every receipt.
  SELECT number, endpoint, block, receipts, traces, tracesKind, tooDeep, listed, head.1 AS height, head.2 AS hash, head.3 AS parent, head.4.1 AS sent, results.1 AS done, results.2 AS of_block,
    tracesKind = 'call_traces' AND listed = length(sent) AND arrayCount(one -> one.1.1 != '', frames) < listed AS untraced
  FROM (
    SELECT number, endpoint, block, receipts, traces, tracesKind,
      JSONExtract(block, 'result', 'Tuple(number String, hash String, parentHash String, transactions Array(Tuple(hash String)))') AS head,
      JSONExtract(receipts, 'result', 'Array(Tuple(transactionHash String, blockHash String))') AS results,
      tracesKind != '' AND endsWith(trimRight(traces, ' \n\r\t'), '}') AND NOT isValidJSON(traces) AS tooDeep,
      if(tracesKind = 'call_traces', JSONExtract(traces, 'result', 'Array(Tuple(result Tuple(type String)))'), []) AS frames,
      -- Where none of them has a frame, none is extracted.
      if(tracesKind = 'call_traces' AND empty(frames), JSONLength(traces, 'result'), length(frames)) AS listed
    FROM input('number UInt64, endpoint String, block String, receipts String, traces String, tracesKind String')
  )
)
FORMAT RowBinary
