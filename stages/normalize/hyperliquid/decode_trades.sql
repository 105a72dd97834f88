-- Cuts trades out of what was heard, messages and answers. Grain: one item; schemas/clickhouse/0025_hyperliquid_items.sql says how items become rows.
-- Parameters: chain, from, to, generation. Reads raw_payloads by (chain, kind, number). An answer that is not JSON is decode_rest's.
-- What is no list becomes an item of type unknown: a list around what was said, so that it is told once in hl_unknown.
-- One block of rows, hence the order: of several, what a view makes for two months can be refused or left out (ClickHouse 26.7).
INSERT INTO hl_trade_items (chain, block_number, source, heard_at, type, request, account, name, place, item, generation)
SELECT {chain:String}, number, if(endpoint = 'synthetic', 'synthetic', kind), fetched_at, if(listed, 'trade', 'unknown'), receipts, '', '', toUInt32(nth - 1), item, {generation:UInt32}
FROM (
  SELECT number, toString(kind) AS kind, endpoint, fetched_at, receipts, if(kind = 'ws', JSONExtractArrayRaw(payload, 'data'), JSONExtractArrayRaw(payload)) AS list, notEmpty(list) AS listed,
    if(listed OR NOT isValidJSON(payload) OR if(kind = 'ws', JSONType(payload, 'data'), JSONType(payload)) = 'Array', list, [concat(if(kind = 'ws', '[', '["recentTrades",'), payload, ']')]) AS items
  FROM raw_payloads
  WHERE chain = {chain:String} AND number BETWEEN {from:UInt64} AND {to:UInt64} AND raw_payloads.kind IN ('ws', 'info') AND problem = ''
    AND if(raw_payloads.kind = 'ws', JSONExtractString(payload, 'channel') = 'trades', JSONExtractString(receipts, 'type') = 'recentTrades')
)
ARRAY JOIN items AS item, arrayEnumerate(items) AS nth
ORDER BY number
SETTINGS deduplicate_blocks_in_dependent_materialized_views = 1, max_threads = 1, max_block_size = 1000000000, min_insert_block_size_rows = 1000000000, min_insert_block_size_bytes = 0
