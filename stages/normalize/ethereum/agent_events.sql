-- What the ERC-8004 registries told in this batch. Grain: one event of the identity or the reputation registry.
-- Parameters: chain, from, to, generation. Reads logs by their sort key (chain, block_number).
-- Texts in data: a word at a known place is their offset, the word there their length. What does not fit its layout is no event.
INSERT INTO agent_events
WITH
  toFixedString(unhex('8004a169fb4a3325136eb29fa0ceb6d2e539a432'), 20) AS identity, toFixedString(unhex('8004baa17c55a88189ae136b182e5fda19de9b63'), 20) AS reputation,
  -- topic0, emitter, topics, words of data at least, kind; then which word is the offset of the URI, of the key and of the value (0: none)
  layouts AS (
    SELECT toFixedString(unhex(topic), 32) AS event, ofIdentity, topics, words, kind, uri_at, key_at, value_at
    FROM format(Values, 'topic String, ofIdentity Bool, topics UInt8, words UInt8, kind String, uri_at UInt8, key_at UInt8, value_at UInt8', $$
('ca52e62c367d81bb2e328eb795f7c7ba24afb478408a26c0e201d155c449bc4a', true, 3, 2, 'registered', 1, 0, 0),
('2c149ed548c6d2993cd73efe187df6eccabe4538091b33adbd25fafdb8a1468b', true, 3, 4, 'metadata', 0, 1, 2),
('3a2c7fffc2cba7582c690e3b82c453ea02a308326a98a3ad7576c606336409fb', true, 3, 2, 'uri', 1, 0, 0),
('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', true, 4, 0, 'transfer', 0, 0, 0),
('6a4a61743519c9d648a14e6493f47dbe3ff1aa29e7785c96c8326a205e58febc', false, 4, 12, 'feedback', 7, 4, 0),
('25156fd3288212246d8b008d5921fde376c71ed14ac2e072a506eb06fde6d09d', false, 4, 0, 'feedback_revoked', 0, 0, 0),
('b1c6be0b5b8aef6539e2fac0fd131a2faa7b49edf8e505b5eb0ad487d56051d4', false, 4, 4, 'response', 2, 0, 0)
$$)
  ),
  16384 AS most,
  (body, place) -> reinterpretAsUInt256(reverse(substring(body, place, 32))) AS word,
  -- Where a text's length stands, counted from 1; beyond the data where the offset is absurd.
  (body, at) -> toUInt64(least(word(body, 32 * toUInt32(at) - 31), toUInt256(length(body)))) + 1 AS place,
  (body, at) -> toUInt64(least(word(body, place(body, at)), toUInt256(length(body)))) AS size,
  (body, at) -> at = 0 OR (place(body, at) + 31 <= length(body) AND place(body, at) + 31 + size(body, at) <= length(body)) AS fits,
  (body, at) -> if(at = 0, '', substring(body, place(body, at) + 32, least(size(body, at), most))) AS bytesAt
SELECT {chain:String}, reinterpretAsUInt256(reverse(if(kind = 'transfer', topic3, topic1))) AS agent_id, block_number, log_index, block_hash, block_time, tx_hash, address, kind,
  toFixedString(substring(if(kind = 'metadata', toFixedString('', 32), topic2), 13, 20), 20) AS account,
  toValidUTF8(bytesAt(data, uri_at)) AS uri, toUInt32(if(uri_at = 0, 0, size(data, uri_at))) AS uri_size, toValidUTF8(bytesAt(data, key_at)) AS key, bytesAt(data, value_at) AS value,
  reinterpretAsUInt64(reverse(if(kind = 'feedback_revoked', substring(topic3, 25, 8), if(kind IN ('feedback', 'response'), substring(data, 25, 8), '')))) AS feedback_index,
  if(kind = 'feedback', reinterpretAsInt128(reverse(substring(data, 49, 16))), toInt128(0)) AS feedback_value, if(kind = 'feedback', reinterpretAsUInt8(substring(data, 96, 1)), toUInt8(0)) AS feedback_decimals,
  {generation:UInt32}
FROM logs INNER JOIN layouts ON topic0 = event AND topic_count = topics
WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
  AND address IN (identity, reputation) AND address = if(ofIdentity, identity, reputation) AND length(data) >= 32 * words
  AND fits(data, uri_at) AND fits(data, key_at) AND fits(data, value_at)
