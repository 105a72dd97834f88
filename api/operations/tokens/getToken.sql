-- What is known of one token: how it is described and by whom, whose symbol it bears, when it was first seen, its newest price, what was traded of it in a
-- span, and what speaks for balances that transfers do not tell: that it is known to rebase, events of a rebase, or swaps of which less arrives than the pool gave.
-- A symbol is compared as it looks: letters of other scripts that look Latin count as Latin (before and after compatible forms are told), marks, spaces and fillers of Hangul (of which these two are left then) as nothing, case as nothing, and the tugrik's sign as a t. One of marks alone looks like itself and nothing else.
-- Grain: one row. Parameters: chain, token (hex without 0x), first, newest (heights of the span), segmentBlocks, alike and latin (letters, and what each looks like).
-- Sort keys: tokens (chain, address); token_traits (chain, token, trait); token_segments is read by its columns; prices (chain, token, block_number); swaps, transfers and logs (chain, block_number, …) by both heights.
WITH
  toFixedString(unhex({token:String}), 20) AS asset,
  (SELECT tuple(symbol, name, decimals, stable, toString(source)) FROM tokens FINAL WHERE chain = {chain:String} AND address = asset) AS described,
  replaceOne(lowerUTF8(replaceRegexpAll(translateUTF8(normalizeUTF8NFKD(translateUTF8(described.1, {alike:String}, {latin:String})), {alike:String}, {latin:String}), '[^\\p{L}\\p{N}$€₮]|[\\x{115F}\\x{1160}]', '')), '₮', 't') AS shown, if(shown = '', described.1, shown) AS looks,
  (SELECT groupArray(lower(hex(address))) FROM (SELECT address FROM tokens FINAL WHERE chain = {chain:String} AND source != 'node' AND address != asset AND looks != ''
    AND if((replaceOne(lowerUTF8(replaceRegexpAll(symbol, '[^\\p{L}\\p{N}$€₮]', '')), '₮', 't') AS theirs) = '', symbol, theirs) = looks ORDER BY source = 'curated' DESC, address LIMIT 1)) AS alike,
  (SELECT tuple(count(), min(hour), argMin(segment, (hour, segment))) FROM token_segments WHERE chain = {chain:String} AND token = asset) AS seen,
  (SELECT tuple(usd, toString(method), block_number, block_time, trades, depth_usd) FROM prices WHERE chain = {chain:String} AND token = asset AND block_number <= {newest:UInt64} ORDER BY block_number DESC LIMIT 1) AS priced,
  given AS (
    SELECT s.tx_hash AS tx, s.pool AS pool, sum(s.amount_bought) AS gave, max(s.amount_bought) AS largest FROM swaps AS s
    WHERE s.chain = {chain:String} AND s.block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND s.token_bought = asset AND s.token_bought_known AND NOT s.aggregator AND startsWith(s.pool, toFixedString('', 12))
    GROUP BY tx, pool HAVING count() = 1
  ),
  (SELECT tuple(count(), countIf(a.arrived < g.gave AND a.whole = g.gave)) FROM given AS g INNER JOIN (
    SELECT t.tx_hash AS tx, toFixedString(concat(repeat('\0', 12), t.from_address), 32) AS pool, max(t.amount) AS arrived, sum(t.amount) AS whole FROM transfers AS t
    WHERE t.chain = {chain:String} AND t.block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND t.kind = 'erc20' AND t.token = asset AND t.amount < bitShiftLeft(toUInt256(1), 200) GROUP BY tx, pool
  ) AS a ON a.tx = g.tx AND a.pool = g.pool) AS lessened,
  (SELECT count() FROM logs WHERE chain = {chain:String} AND block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND address = asset
    AND topic0 IN (unhex('72725a3b1e5bd622d6bcd1339bb31279c351abe8f541ac7fd320f24e1b1641f2'), unhex('ff08c3ef606d198e316ef5b822193c489965899eb4e3c248cea1a4626c3eda50'),
      unhex('4beccb90f994c31aced7a23b5611020728a23d8ec5cddd1a3e9d97b96fda8666'), unhex('11c6bf55864ff83827df712625d7a80e5583eef0264921025e7cd22003a21511'))) AS rebase_events,
  (SELECT max(r.source) FROM token_traits AS r FINAL WHERE r.chain = {chain:String} AND r.token = asset AND r.trait = 'rebasing') AS known_rebase,
  (SELECT tuple(count(), sum(value_usd), uniqExact(trader), countIf(isNull(value_usd)), countIf(token_bought = asset), countIf(token_sold = asset)) FROM swaps
    WHERE chain = {chain:String} AND block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND NOT aggregator AND ((token_sold = asset AND token_sold_known) OR (token_bought = asset AND token_bought_known))) AS traded
SELECT isNotNull(described.5) AS is_described, ifNull(described.1, '') AS symbol, ifNull(described.2, '') AS name, described.3 AS decimals, ifNull(described.4, false) AS stable, ifNull(described.5, '') AS source,
  if(described.5 = 'node' AND notEmpty(alike), toNullable(concat('0x', alike[1])), NULL) AS imitates,
  seen.1 > 0 AS is_seen, seen.2 AS first_hour, toFloat64(seen.3 * {segmentBlocks:UInt64}) AS first_from, toFloat64((seen.3 + 1) * {segmentBlocks:UInt64} - 1) AS first_to,
  isNotNull(priced.3) AS is_priced, ifNull(priced.1, 0) AS usd, ifNull(priced.2, '') AS method, toFloat64(ifNull(priced.3, 0)) AS priced_block, ifNull(priced.4, toDateTime64(0, 3, 'UTC')) AS priced_at,
  toFloat64(ifNull(priced.5, 0)) AS price_trades, ifNull(priced.6, 0) AS price_depth,
  toFloat64(lessened.1) AS buys_compared, toFloat64(lessened.2) AS buys_lessened, toFloat64(rebase_events) AS rebases, ifNull(known_rebase, '') AS rebases_as,
  toFloat64(traded.1) AS swaps, if(traded.1 = 0, toNullable(0.), traded.2) AS volume_usd, toFloat64(traded.3) AS traders, toFloat64(traded.4) AS unpriced, toFloat64(traded.5) AS buys, toFloat64(traded.6) AS sells
