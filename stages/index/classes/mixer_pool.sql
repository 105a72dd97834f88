-- Rule mixer_pool, version 1: a contract that told two or more deposits or withdrawals in the form of Tornado Cash's events. Anybody may emit such events: it is a hint.
-- Grain: one contract. Parameters: chain, version, height. Sort key of logs: (chain, block_number, …), read whole in the columns of events.
INSERT INTO label_candidates (version, chain, address, label, entity, category, rule, rule_version, level, valid_from, evidence_rows, first_block, last_block, value_usd, examples, facts)
SELECT {version:UInt64}, {chain:String}, concat('0x', lower(hex(l.address))) AS address, 'mixer pool', '', 'mixer', 'mixer_pool', 1, 'heuristic', min(l.block_time), count() AS events, min(l.block_number), max(l.block_number), NULL,
  groupArraySorted(3)((l.block_number, l.tx_hash, l.log_index)), map('deposits', toString(countIf(l.topic0 = unhex('a945e51eec50ab98c161376f0db4cf2aeba3ec92755fe2fcd388bdbbb80ff196'))),
    'withdrawals', toString(countIf(l.topic0 = unhex('e9e508bad6d4c3227e881ca19068f099da81b5164dd6d62b2eaf1e8bc6c34931'))))
FROM logs AS l
WHERE l.chain = {chain:String} AND l.block_number <= {height:UInt64} AND l.topic_count = 2
  AND l.topic0 IN (unhex('a945e51eec50ab98c161376f0db4cf2aeba3ec92755fe2fcd388bdbbb80ff196'), unhex('e9e508bad6d4c3227e881ca19068f099da81b5164dd6d62b2eaf1e8bc6c34931'))
GROUP BY l.address HAVING events >= 2
