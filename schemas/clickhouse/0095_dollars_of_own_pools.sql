-- A token that no list names is worth what its own pools say, and whoever made it made those: its dollars are told as that. known: the coin, or a token that a list names. own_pools: it is neither, and neither an oracle nor its peg priced it.
-- What the view is for stands in 0009_views.sql; why numbers from 10^59 on are told by their power of ten, in 0078_words_and_pools.sql.
CREATE OR REPLACE VIEW told_transfers AS
SELECT * EXCEPT (listed, whole, usd, plain),
  if(from_label = '', sender_hex, concat(from_label, ' (', sender_hex, ')')) AS sender,
  if(to_label = '', receiver_hex, concat(to_label, ' (', receiver_hex, ')')) AS receiver,
  if(listed, toString(token_symbol), concat('of token ', token_hex)) AS asset,
  if(isNull(token_decimals), concat(toString(amount), ' smallest units'), if(whole < 1e59, toDecimalString(least(whole, 1e59), 4), toString(whole))) AS quantity,
  multiIf(isNull(value_usd), 'value unknown', own_pools, concat('about ', plain, ' by its own pools'), plain) AS dollars
FROM (
  SELECT *, token = toFixedString('', 20) OR listed AS known, NOT known AND price_method NOT IN ('chainlink', 'peg') AS own_pools, concat('$', if(usd < 1e59, trimLeft(reverse(replaceRegexpAll(reverse(toDecimalString(least(usd, 1e59), 0)), '(\\d{3})', '\\1,')), ','), toString(usd))) AS plain
  FROM (
    SELECT *, dictGet('token_of', 'listed', (toString(chain), token_hex)) AS listed, toFloat64(amount) / pow(10, ifNull(token_decimals, 0)) AS whole, round(ifNull(value_usd, 0)) AS usd
    FROM (
      SELECT *, concat('0x', lower(hex(from_address))) AS sender_hex, concat('0x', lower(hex(to_address))) AS receiver_hex, concat('0x', lower(hex(token))) AS token_hex FROM transfers
    )
  )
);

-- As in 0085_published_bitcoin.sql, with what the dollars are.
CREATE OR REPLACE VIEW published_{{database}}.alerts (
  chain LowCardinality(String) COMMENT 'Chain id: ETH, BTC', block_number UInt64 COMMENT 'Height; sort key after chain: bound it for a cheap query', id String COMMENT 'Id, the same for ever',
  rule LowCardinality(String) COMMENT 'Rule', severity LowCardinality(String) COMMENT 'low, medium, high; what is worth so much by its own pools alone is low', block_time DateTime64(3, 'UTC') COMMENT 'Time of the block', tx_hash String COMMENT 'Transaction',
  summary String COMMENT 'In words', value_usd Nullable(Float64) COMMENT 'USD; of a token that no list names, what its own pools say', from_address String COMMENT 'From; of Bitcoin its id, whose text btc_addresses has', to_address String COMMENT 'To; of Bitcoin its id, whose text btc_addresses has'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.block_number, lower(hex(s.id)) AS id, s.rule, s.severity, s.block_time, concat('0x', lower(hex(s.tx_hash))) AS tx_hash, s.summary, s.value_usd,
  concat('0x', lower(hex(s.from_address))) AS from_address, concat('0x', lower(hex(s.to_address))) AS to_address
FROM {{database}}.alerts AS s FINAL
WHERE NOT s.retracted AND NOT arrayExists(one -> one.1 = s.chain AND one.2 <= s.block_number, (SELECT groupArray((u.chain, u.ceiling)) FROM {{database}}.unsettled AS u))
COMMENT 'What rules named. Grain: one event; events of blocks that are gone are not there.';
