-- A number from 10^60 on has no decimal notation for the server, and a token may move any amount: one such transfer of a stranger's token stopped every block it lay in.
-- From 10^59 on it is told by its power of ten. What the view is for stands in 0009_views.sql.
CREATE OR REPLACE VIEW told_transfers AS
SELECT * EXCEPT (listed, whole, usd),
  if(from_label = '', sender_hex, concat(from_label, ' (', sender_hex, ')')) AS sender,
  if(to_label = '', receiver_hex, concat(to_label, ' (', receiver_hex, ')')) AS receiver,
  if(listed, toString(token_symbol), concat('of token ', token_hex)) AS asset,
  if(isNull(token_decimals), concat(toString(amount), ' smallest units'), if(whole < 1e59, toDecimalString(least(whole, 1e59), 4), toString(whole))) AS quantity,
  if(isNull(value_usd), 'value unknown', concat('$', if(usd < 1e59, trimLeft(reverse(replaceRegexpAll(reverse(toDecimalString(least(usd, 1e59), 0)), '(\\d{3})', '\\1,')), ','), toString(usd)))) AS dollars
FROM (
  SELECT *, dictGet('token_of', 'listed', (toString(chain), token_hex)) AS listed, toFloat64(amount) / pow(10, ifNull(token_decimals, 0)) AS whole, round(ifNull(value_usd, 0)) AS usd
  FROM (
    SELECT *, concat('0x', lower(hex(from_address))) AS sender_hex, concat('0x', lower(hex(to_address))) AS receiver_hex, concat('0x', lower(hex(token))) AS token_hex FROM transfers
  )
);

-- What is provable of a pool goes before what was said of it: anybody may emit the event of a creation, with any tokens, about a pool of a known factory.
-- What the view is for stands in 0009_views.sql.
CREATE OR REPLACE VIEW pools AS
SELECT chain, pool, argMax(s.protocol, (s.trusted, s.source = 'created', s.block_number)) AS protocol, argMax(s.tokens, (s.trusted, s.source = 'created', s.block_number)) AS tokens,
  argMax(s.factory, (s.trusted, s.source = 'created', s.block_number)) AS factory, max(s.trusted) AS trusted, min(s.block_number) AS first_block, uniqExact(s.tx_hash) AS sightings,
  countIf(s.source = 'created') > 0 OR max(s.trusted) OR (uniqExact(s.tx_hash) >= 2 AND uniqExact(s.tokens) = 1) AS accepted
FROM pool_sightings AS s GROUP BY chain, pool;
