-- Cuts fills out of what was heard: messages and answers about an account, and lines of a node's files, which name the account of each. Grain: one item;
-- schemas/clickhouse/0025_hyperliquid_items.sql says how items become rows. name: the venue's block, where a line tells it.
-- Parameters: chain, from, to, generation. Reads raw_payloads by (chain, kind, number). An answer that is not JSON is decode_rest's.
-- What has no list of fills, and what stands beside one and no rule reads, becomes an item of type unknown: a list around it, so that it is told once in hl_unknown.
-- Messages of channel user may be of other things: what they say but fills is decode_rest's.
-- One block of rows, hence the order: of several, what a view makes for two months can be refused or left out (ClickHouse 26.7).
INSERT INTO hl_fill_items (chain, block_number, source, heard_at, type, request, account, name, place, item, generation)
SELECT {chain:String}, number, if(endpoint = 'synthetic', 'synthetic', kind), fetched_at, piece.1, receipts, lower(piece.2), piece.3, toUInt32(nth - 1), piece.4, {generation:UInt32}
FROM (
  SELECT number, toString(kind) AS kind, endpoint, fetched_at, receipts,
    if(kind = 'node_fills', arrayFlatten(arrayMap(line -> multiIf(
        NOT isValidJSON(line), [('garbage', '', '', line)],
        startsWith(line, '['), [('fill', JSONExtractString(line, 1), '', JSONExtractRaw(line, 2))],
        JSONType(line, 'events') != 'Array', [('unknown', '', '', concat('["node_fills",', line, ']'))],
        arrayConcat(arrayMap(event -> ('fill', JSONExtractString(event, 1), JSONExtractRaw(line, 'block_number'), JSONExtractRaw(event, 2)), JSONExtractArrayRaw(line, 'events')),
          arrayMap(key -> ('unknown', '', '', concat('["node_fills",', toJSONString(key), ',', JSONExtractRaw(line, key), ']')), arrayFilter(key -> NOT has(['local_time', 'block_time', 'block_number', 'events'], key), JSONExtractKeys(line))))),
        arrayFilter(line -> line != '', splitByChar('\n', payload)))),
      arrayConcat(
        arrayMap(one -> ('fill', if(kind = 'ws' AND JSONType(payload, 'data', 'user') = 'String', JSONExtractString(payload, 'data', 'user'), JSONExtractString(receipts, 'user')), '', one), if(kind = 'ws', JSONExtractArrayRaw(payload, 'data', 'fills'), JSONExtractArrayRaw(payload))),
        arrayMap(one -> ('unknown', '', '', one), multiIf(
          kind = 'info', if(match(payload, '^[ \\t\\r\\n]*[[]') OR NOT isValidJSON(payload), [], [concat('["userFills",', payload, ']')]),
          JSONExtractString(payload, 'channel') = 'user', [],
          JSONType(payload, 'data', 'fills') != 'Array', [concat('[', payload, ']')],
          arrayMap(key -> concat('["userFills",', toJSONString(key), ',', JSONExtractRaw(payload, 'data', key), ']'), arrayFilter(key -> NOT has(['user', 'isSnapshot', 'fills'], key), JSONExtractKeys(payload, 'data'))))))) AS pieces
  FROM raw_payloads
  WHERE chain = {chain:String} AND number BETWEEN {from:UInt64} AND {to:UInt64} AND problem = ''
    AND multiIf(raw_payloads.kind = 'ws', JSONExtractString(payload, 'channel') IN ('userFills', 'user'), raw_payloads.kind = 'info', JSONExtractString(receipts, 'type') IN ('userFills', 'userFillsByTime'), raw_payloads.kind = 'node_fills')
)
ARRAY JOIN pieces AS piece, arrayEnumerate(pieces) AS nth
ORDER BY number
SETTINGS deduplicate_blocks_in_dependent_materialized_views = 1, max_threads = 1, max_block_size = 1000000000, min_insert_block_size_rows = 1000000000, min_insert_block_size_bytes = 0
