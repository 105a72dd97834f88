-- Cuts leaderboards into accounts. Grain: one item; schemas/clickhouse/0036_hyperliquid_leaderboard.sql says how items become rows. place: in the list, from 0; what is no account comes after.
-- Parameters: chain, from, to, generation. Reads raw_payloads by (chain, kind, number). An answer that is not JSON is decode_rest's.
-- One block of rows, hence the order: of several, what a view makes for two months can be refused or left out (ClickHouse 26.7).
INSERT INTO hl_leader_items (chain, block_number, source, heard_at, type, request, account, name, place, item, generation)
SELECT {chain:String}, number, if(endpoint = 'synthetic', 'synthetic', kind), fetched_at, piece.1, receipts, piece.2, piece.3, toUInt32(nth - 1), piece.4, {generation:UInt32}
FROM (
  SELECT number, toString(kind) AS kind, endpoint, fetched_at, receipts, JSONExtractArrayRaw(payload, 'leaderboardRows') AS listed, arrayMap(one -> lower(JSONExtractString(one, 'ethAddress')), listed) AS accounts,
    if(JSONType(payload, 'leaderboardRows') = 'Array', arrayConcat(
      arrayMap((one, account, time) -> ('leader', account, if(time = 1, '', 'again'), one), listed, accounts, arrayEnumerateUniq(accounts)),
      arrayMap(key -> ('leaderboard', '', key, substring(JSONExtractRaw(payload, key), 1, 500)), arrayFilter(key -> key != 'leaderboardRows', JSONExtractKeys(payload)))),
      [('leaderboard', '', '', substring(payload, 1, 500))]) AS pieces
  FROM raw_payloads
  WHERE chain = {chain:String} AND number BETWEEN {from:UInt64} AND {to:UInt64} AND raw_payloads.kind = 'info' AND problem = '' AND JSONExtractString(receipts, 'type') = 'leaderboard' AND isValidJSON(payload)
)
ARRAY JOIN pieces AS piece, arrayEnumerate(pieces) AS nth
ORDER BY number
SETTINGS deduplicate_blocks_in_dependent_materialized_views = 1, max_threads = 1, max_block_size = 1000000000, min_insert_block_size_rows = 1000000000, min_insert_block_size_bytes = 0
