-- A leader opens a position: a wallet that leads on one of the leaderboards in force at that block buys a token of which it holds nothing, the first time or again.
-- from_address is the leader, token what was bought. Grain: one purchase. Parameters: chain, from, to, floor, generation.
-- It holds what it bought less what it sold in trades; selling more than that leaves nothing, as in wallet_ledgers. What moved without a trade is not counted: it is indexed
-- after this may have run. The run in force is the newest whose in_force_from is not above the block, of several the one as of the highest block, of those the one by the newest version of the rule, and earlier trades count from floor on: what is computed or
-- indexed later changes nothing. value_usd is null while unknown; such a purchase counts as $0. A rule without a threshold on the chain is
-- silent. The id is a hash of rule, chain, block, transaction, wallet and token. Sort keys: leaders (chain, in_force_from, account), wallet_trades (chain, account, block_number, …).
INSERT INTO alerts (id, chain, rule, rule_version, severity, block_number, block_hash, block_time, tx_hash, position, summary, value_usd, amount, token,
  from_address, to_address, retracted, generation, version)
WITH bought AS (
  SELECT * FROM wallet_trades
  WHERE chain = {chain:String} AND account IN (SELECT account FROM leaders WHERE chain = {chain:String} AND in_force_from <= {to:UInt64})
    AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND side = 'buy'
)
SELECT SHA256(concat('copy_trade|', {chain:String}, '|', lower(hex(b.block_hash)), '|', lower(hex(b.tx_hash)), '|', lower(hex(b.account)), lower(hex(b.token)))),
  {chain:String}, 'copy_trade', 1, t.severity, b.block_number, b.block_hash, b.block_time, b.tx_hash, b.position,
  concat('Leader 0x', lower(hex(b.account)), ' (', arrayStringConcat(l.boards, ', '), ' days) opened a position in ',
    if(described.2 = 1, described.1, concat('token 0x', lower(hex(b.token)))), if(isNull(b.usd), ', value unknown', concat(' for $', if(b.usd < 1e59, toDecimalString(least(round(assumeNotNull(b.usd)), 1e59), 0), toString(assumeNotNull(b.usd)))))),
  b.usd, b.amount, b.token, b.account, toFixedString('', 20), false, {generation:UInt32}, toUInt64({generation:UInt32}) * 2
FROM (
  SELECT *, r.in_force_from AS run, r.newest AS board, dictGet('token_of', ('symbol', 'listed'), ({chain:String}, concat('0x', lower(hex(b.token))))) AS described
  FROM bought AS b
  ASOF INNER JOIN (SELECT chain, in_force_from, max((as_of, rule_version, toString(rule))) AS newest FROM leader_runs WHERE chain = {chain:String} GROUP BY chain, in_force_from) AS r ON r.chain = b.chain AND r.in_force_from <= b.block_number
) AS b
INNER JOIN (
  SELECT in_force_from, (as_of, rule_version, toString(rule)) AS board, account, arrayMap(d -> toString(d), arraySort(groupUniqArray(days))) AS boards FROM leaders WHERE chain = {chain:String} GROUP BY in_force_from, board, account
) AS l ON l.in_force_from = b.run AND l.board = b.board AND l.account = b.account
CROSS JOIN (
  SELECT argMax(threshold, version) AS threshold, argMax(severity, version) AS severity FROM alert_thresholds
  WHERE chain = {chain:String} AND rule = 'copy_trade' HAVING count() > 0
) AS t
WHERE ifNull(b.usd, 0) >= t.threshold
  AND (b.account, b.token, b.block_number, b.position) IN (
    SELECT account, token, block_number, position
    FROM (
      SELECT account, token, block_number, position, side, if(side = 'buy', toInt256(amount), -toInt256(amount)) AS net,
        sum(net) OVER (PARTITION BY account, token ORDER BY block_number, position ROWS UNBOUNDED PRECEDING) AS total
      FROM wallet_trades
      WHERE chain = {chain:String} AND account IN (SELECT account FROM bought) AND token IN (SELECT token FROM bought) AND block_number BETWEEN {floor:UInt64} AND {to:UInt64} AND (block_number < {from:UInt64} OR generation = {generation:UInt32})
    )
    -- Held at nothing below zero: what is held is the total above its lowest so far.
    QUALIFY side = 'buy' AND total - net <= least(min(total) OVER (PARTITION BY account, token ORDER BY block_number, position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)
  )
ORDER BY b.block_number, b.position, b.account, b.token
