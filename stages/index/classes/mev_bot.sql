-- Rule mev_bot, version 1: who took two or more sandwiches, arbitrages or just-in-time mints that were graded medium or high. A liquidator alone is none.
-- Grain: one searcher (its contract, or its account where the contract is public). Parameters: chain, version, height. Sort key: mev (chain, block_number, mev_id), read whole: a few rows in a block.
INSERT INTO label_candidates (version, chain, address, label, entity, category, rule, rule_version, level, valid_from, evidence_rows, first_block, last_block, value_usd, examples, facts)
SELECT {version:UInt64}, {chain:String}, concat('0x', lower(hex(m.searcher))) AS address, 'MEV bot', '', 'mev_bot', 'mev_bot', 1, 'heuristic', min(m.block_time), count() AS finds, min(m.block_number), max(m.block_number),
  if(countIf(isNull(m.gross_usd)) = 0, toNullable(sum(ifNull(m.gross_usd, 0))), NULL), groupArraySorted(3)((m.block_number, m.tx_hash, m.position)),
  map('sandwiches', toString(countIf(m.kind = 'sandwich')), 'arbitrages', toString(countIf(m.kind = 'arbitrage')), 'jit', toString(countIf(m.kind = 'jit')))
FROM mev AS m
WHERE m.chain = {chain:String} AND m.block_number <= {height:UInt64} AND m.grade IN ('high', 'medium') AND m.kind != 'liquidation' AND m.searcher != toFixedString('', 20)
GROUP BY m.searcher HAVING finds >= 2
