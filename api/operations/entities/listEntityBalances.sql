-- What came to the addresses that an entity has now less what went, by token, so that moves among them leave nothing: the 50 worth most; those without a price after them, by how often they moved.
-- value_usd by the newest price of the last indexed hour. rebasing: known as a token whose balances change without a transfer.
-- Grain: one token. Parameters: chain, entity (as labels has it), first, newest (heights of that hour).
-- Sort key: address_transfers (chain, address, block_number, …), by the addresses; prices (chain, token, block_number). labels is small and read whole.
WITH
  mine AS (SELECT DISTINCT toFixedString(unhex(substring(l.address, 3)), 20) AS address FROM labels AS l FINAL WHERE l.chain = {chain:String} AND l.entity = {entity:String} AND NOT l.removed AND match(l.address, '^0x[0-9a-f]{40}$')),
  nets AS (
    SELECT a.token AS asset, countIf(a.kind IN ('erc721', 'erc1155')) > 0 AS has_ids, count() AS moves, countIf(a.amount >= bitShiftLeft(toUInt256(1), 200)) AS absurd,
      sumIf(toInt256(a.amount), a.direction = 'in' AND a.amount < bitShiftLeft(toUInt256(1), 200)) - sumIf(toInt256(a.amount), a.direction = 'out' AND a.amount < bitShiftLeft(toUInt256(1), 200)) AS net
    FROM address_transfers AS a
    WHERE a.chain = {chain:String} AND a.address IN (SELECT address FROM mine)
    GROUP BY asset
  )
SELECT concat('0x', lower(hex(n.asset))) AS token, dictGet('token_of', ('symbol', 'decimals'), ({chain:String}, token)) AS described, described.1 AS token_symbol, described.2 AS token_decimals,
  n.has_ids AS nft, toFloat64(n.moves) AS transfers, if(n.absurd > 0, NULL, toNullable(toString(n.net))) AS net_amount,
  if(p.usd > 0 AND NOT nft AND n.absurd = 0, toFloat64(n.net) / pow(10, described.2) * p.usd, NULL) AS value_usd,
  n.asset IN (SELECT r.token FROM token_traits AS r FINAL WHERE r.chain = {chain:String} AND r.trait = 'rebasing') AS rebasing
FROM nets AS n
LEFT JOIN (
  SELECT r.token AS asset, argMax(r.usd, r.block_number) AS usd FROM prices AS r
  WHERE r.chain = {chain:String} AND r.token IN (SELECT a.token FROM address_transfers AS a WHERE a.chain = {chain:String} AND a.address IN (SELECT address FROM mine)) AND r.block_number BETWEEN {first:UInt64} AND {newest:UInt64} GROUP BY r.token
) AS p ON p.asset = n.asset
ORDER BY value_usd DESC NULLS LAST, transfers DESC, token
LIMIT 50
