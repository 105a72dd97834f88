-- Liquidations by contracts that are known to lend, with what the liquidator repaid and received and the swaps of the same transaction. Grain: one leg
-- of a find; a transaction's liquidations are one find. Parameters: chain, from, to, generation. Sort keys: logs, swap_legs, transactions and
-- movements (chain, block_number, …). Tokens an event does not name are those that moved to or from the market in that very amount in the
-- transaction, if only one did; so too the share tokens that an Aave liquidator took in place of the collateral. A Compound V3 absorption pays
-- nobody: its leg has no tokens. grade: high where both tokens are known, medium else.
-- Of what Compound V2 says was seized the market may keep a share: the liquidator received what moved from the borrower to him in the transaction, if that was one movement and no more than was seized.
-- Version 2: version 1 counted that share as received.
INSERT INTO mev_legs (chain, block_number, mev_id, kind, rule, rule_version, grade, searcher, role, own, position, sub, block_hash, block_time, tx_index, tx_hash, protocol, pool,
  account, token_in, token_in_known, amount_in, token_out, token_out_known, amount_out, loss, loss_reason, generation)
WITH
  toFixedString('', 20) AS zero,
  told AS MATERIALIZED (
    SELECT l.block_number AS block_number, l.position AS position, l.block_hash AS hash, l.block_time AS time, l.tx_hash AS tx, l.protocol AS protocol, l.market AS market, l.borrower AS borrower, l.liquidator AS liquidator,
      l.token AS token, l.amount AS repaid, e.tx_index AS tx_index,
      toFixedString(multiIf(protocol IN ('aave', 'aave_v1'), substring(e.topic1, 13, 20), protocol = 'compound_v2', substring(e.data, 109, 20), ''), 20) AS collateral,
      substring(e.data, multiIf(protocol = 'aave', 128, protocol = 'aave_v1', 160, 0), 1) = '\x01' AS in_shares,
      if(protocol = 'compound_v3', toUInt256(0), reinterpretAsUInt256(reverse(substring(e.data, multiIf(protocol IN ('aave', 'aave_v1'), 33, protocol = 'compound_v2', 129, 65), 32)))) AS seized
    FROM liquidations AS l
    INNER JOIN (
      SELECT block_number, log_index, tx_index, topic1, data FROM logs
      WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND topic0 IN (
        unhex('e413a321e8681d831f4dbccbca790d2952b56f977908e45be37335533e005286'), unhex('298637f684da70674f26509b10f07ec2fbc77a335ab1e7d6215a4b2484d8bb52'),
        unhex('a4946ede45d0c6f06a0f5ce92c9ad3b4751452d2fe0e25010783bcab57a67e41'), unhex('9850ab1af75177e4a9201c65a2cf7976d5d28e40ef63494b44366f86b2f9412e'),
        unhex('56864757fd5b1fc9f38f5f3a981cd8ae512ce41b902cf73fc506ee369c6bc237'))
    ) AS e ON e.block_number = l.block_number AND e.log_index = l.position
    WHERE l.chain = {chain:String} AND l.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND l.generation = {generation:UInt32}
  ),
  moved AS (
    SELECT block_number AS moved_block, tx_index AS moved_index, groupArray((token, from_address, to_address, amount)) AS moves FROM movements
    WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND kind IN ('native', 'internal', 'erc20') AND (block_number, tx_index) IN (SELECT block_number, tx_index FROM told)
    GROUP BY moved_block, moved_index
  ),
  named AS (
    SELECT t.*, arrayDistinct(arrayMap(m -> m.1, arrayFilter(m -> m.3 = market AND m.4 = repaid, moves))) AS paid, arrayDistinct(arrayMap(m -> m.1, arrayFilter(m -> m.4 = seized AND if(in_shares, m.3 = liquidator AND m.1 != collateral, m.2 = market), moves))) AS given,
      arrayFilter(m -> m.1 = collateral AND m.2 = borrower AND m.3 = liquidator AND m.4 > 0 AND m.4 <= seized, moves) AS handed, if(protocol = 'compound_v2' AND length(handed) = 1, handed[1].4, seized) AS received,
      protocol != 'compound_v3' AND (token != zero OR length(paid) = 1) AS repaid_known, if(in_shares OR protocol = 'morpho', length(given) = 1, collateral != zero) AS seized_known,
      if(token != zero, token, paid[1]) AS repaid_token, if(in_shares OR collateral = zero, given[1], collateral) AS seized_token
    FROM told AS t LEFT JOIN moved AS v ON moved_block = t.block_number AND moved_index = t.tx_index
  ),
  legs AS (
    -- 0xeeee…: how Aave V1 writes the chain's own coin.
    SELECT block_number, tx_index, tx, hash, time, liquidator, protocol, toFixedString(concat(toFixedString('', 12), market), 32) AS pool, position, sub, if(protocol = 'compound_v3', 'absorb', if(sub = 0, 'repay', 'seize')) AS role,
      if(sub = 0 AND repaid_known AND repaid_token != unhex(repeat('ee', 20)), repaid_token, zero) AS token_in, sub = 0 AND repaid_known AS token_in_known, if(sub = 0 AND protocol != 'compound_v3', repaid, toUInt256(0)) AS amount_in,
      if(sub = 1 AND seized_known AND seized_token != unhex(repeat('ee', 20)), seized_token, zero) AS token_out, sub = 1 AND seized_known AS token_out_known, if(sub = 1, received, toUInt256(0)) AS amount_out, repaid_known AND seized_known AS known
    FROM named ARRAY JOIN if(protocol = 'compound_v3', [0], [0, 1]) AS sub
    UNION ALL
    SELECT block_number, tx_index, tx_hash, block_hash, block_time, zero, protocol, pool, log_index, 0, 'swap', token_sold, token_sold_known, amount_sold, token_bought, token_bought_known, amount_bought, true
    FROM swap_legs WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND NOT aggregator AND (block_number, tx_index) IN (SELECT block_number, tx_index FROM told)
  )
SELECT {chain:String}, block_number, SHA256(concat('liquidation|', {chain:String}, '|', lower(hex(hash)), '|', toString(start))), 'liquidation', 'liquidation_event', 2,
  if(complete, 'high', 'medium'), if(dictGet('label_of', 'category', ({chain:String}, concat('0x', lower(hex(by))))) IN ('unknown', 'mev_bot'), by, account),
  role, true, position, sub, hash, time, tx_index, tx, protocol, pool, account, token_in, token_in_known, amount_in, token_out, token_out_known, amount_out, NULL, '', {generation:UInt32}
FROM (
  SELECT l.*, account, minIf(position, role != 'swap') OVER find AS start, min(known) OVER find AS complete, max(liquidator) OVER find AS by
  FROM legs AS l
  INNER JOIN (
    SELECT block_number AS sent_block, tx_index AS sent_index, from_address AS account FROM transactions WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
  ) AS s ON sent_block = l.block_number AND sent_index = l.tx_index
  WINDOW find AS (PARTITION BY l.block_number, l.tx_index)
)
ORDER BY block_number, start, position, sub
SETTINGS enable_materialized_cte = 1
