-- Movements of one chain worth at least min_usd, newest first, in words, with what their transaction paid.
-- What an exchange moves within itself is no flow of it: both sides are of one entity or, where labels name none, of one label.
-- Of what moved to or from a mixer only the coin and listed tokens make it a use of one and a risk: a token that is not listed says what it likes of anybody, and its dollars are told as what its own pools say.
-- A withdrawal of the beacon chain has no transaction: its id goes by its block.
-- Grain: one movement. Parameters: chain, min_usd, block/kind/position/sub (rows lie below that position), limit, risky (classes that weigh in risk).
-- Sort key: transfers (chain, block_number, kind, position, sub), read in reverse; transactions and CoinJoins by the page's heights; token_of is in memory.
WITH
  page AS (
    SELECT * FROM told_transfers WHERE chain = {chain:String} AND block_number <= {block:UInt64}
      AND (block_number, CAST(kind, 'Int8'), position, sub) < ({block:UInt64}, {kind:Int8}, {position:UInt32}, {sub:UInt32}) AND value_usd >= {min_usd:Float64} AND kind NOT IN ('wrap', 'unwrap')
    ORDER BY chain DESC, block_number DESC, kind DESC, position DESC, sub DESC LIMIT {limit:UInt32}
  ),
  (SELECT (min(block_number), max(block_number)) FROM page) AS span,
  -- Who sends what comes out of a CoinJoin is not known.
  told AS (
    SELECT * REPLACE (if(joined, toFixedString('', 20), from_address) AS from_address, if(joined, '', from_label) AS from_label, if(joined, '', from_entity) AS from_entity, if(joined, 'coinjoin', from_class) AS from_class,
      multiIf(joined, 'one of those in a CoinJoin', from_class = 'unresolved', 'an unknown sender', sender) AS sender, if(joined, concat('0x', repeat('0', 40)), sender_hex) AS sender_hex)
    FROM (
      SELECT *, kind = 'utxo' AND (block_number, tx_index) IN (SELECT block_number, tx_index FROM btc_coinjoins WHERE chain = {chain:String} AND block_number BETWEEN span.1 AND span.2 AND confidence >= 50) AS joined FROM page
    )
  ),
  -- A token may claim more decimals than a number has digits.
  toInt32(ifNull(p.token_decimals, 0)) AS places, toString(p.amount) AS said, leftPad(said, greatest(places + 1, length(said)), '0') AS digits
SELECT concat(lower(hex(if(p.kind = 'withdrawal', p.block_hash, p.tx_hash))), ':', toString(p.kind), ':', toString(p.position), ':', toString(p.sub)) AS id, p.chain AS chain,
  multiIf(p.kind = 'withdrawal', 'withdrawal', p.from_address = toFixedString('', 20) AND p.kind != 'utxo', 'mint', p.to_address = toFixedString('', 20), 'burn',
    (p.from_class = 'mixer') != (p.to_class = 'mixer') AND p.known, 'mixer', p.from_class IN ('unresolved', 'coinjoin'), 'unknown', p.to_class = 'exchange' AND (p.from_entity != p.to_entity OR (p.to_entity = '' AND p.from_label != p.to_label)), 'exchange_inflow',
    p.from_class = 'exchange' AND (p.from_entity != p.to_entity OR (p.to_entity = '' AND p.from_label != p.to_label)), 'exchange_outflow', 'transfer') AS type,
  if(p.kind = 'withdrawal', NULL, concat('0x', lower(hex(p.tx_hash)))) AS hash, p.sender_hex AS `from`, p.from_label AS fromLabel, p.receiver_hex AS `to`, p.to_label AS toLabel,
  if(isNull(p.token_decimals), NULL, toNullable(replaceRegexpOne(concat(substring(digits, 1, length(digits) - places), '.', substring(digits, length(digits) - places + 1)), '\\.?0*$', ''))) AS tokenAmount,
  p.token_symbol AS tokenSymbol, p.token_hex AS token, p.value_usd AS usdValue, if(x.tx_type IS NULL, NULL, toString(x.gas_price)) AS gasPrice, toFloat64(p.block_number) AS blockNumber,
  if(x.status IS NULL, NULL, toNullable(if(x.status = 1, 'success', 'failed'))) AS status, p.block_time AS timestamp,
  concat(p.quantity, ' ', p.asset, ' (', p.dollars, ') moved from ', p.sender, ' to ', p.receiver, if(p.from_class = 'unresolved', ', or is its change: an input is not known', '')) AS description,
  multiIf(NOT p.known, NULL, has({risky:Array(String)}, toString(p.to_class)), toNullable(toString(p.to_class)), has({risky:Array(String)}, toString(p.from_class)), toString(p.from_class), NULL) AS riskFlag, [toFloat64(p.block_number), toFloat64(CAST(p.kind, 'Int8')), toFloat64(p.position), toFloat64(p.sub)] AS at
FROM told AS p
LEFT JOIN (
  SELECT block_number, tx_index, toNullable(tx_type) AS tx_type, gas_price, status FROM transactions WHERE chain = {chain:String} AND block_number BETWEEN span.1 AND span.2
) AS x ON x.block_number = p.block_number AND x.tx_index = p.tx_index AND p.kind != 'withdrawal'
ORDER BY p.block_number DESC, p.kind DESC, p.position DESC, p.sub DESC
