-- Rule dex_pool, version 1: a pool whose address was recomputed from a known factory, or that a known factory said it created.
-- Grain: one pool with an address of its own. Parameters: chain, version, height. Sort key: pool_sightings (chain, pool, …), read whole: a row for each creation and each transaction that swapped with a pool.
-- at: height and place in one number: to compare tuples takes twice as long.
INSERT INTO label_candidates (version, chain, address, label, entity, category, rule, rule_version, level, valid_from, evidence_rows, first_block, last_block, value_usd, examples, facts)
SELECT {version:UInt64}, {chain:String}, concat('0x', lower(hex(substring(p.pool, 13, 20)))) AS address, concat(argMin(p.protocol, bitShiftLeft(p.block_number, 32) + p.log_index AS at) AS venue, ' pool'), '', 'dex', 'dex_pool', 1, 'ledger_immanent',
  min(p.block_time), count(), min(p.block_number), max(p.block_number), NULL, groupArraySorted(3)((p.block_number, p.tx_hash, p.log_index)),
  map('protocol', toString(venue), 'factory', concat('0x', lower(hex(argMin(p.factory, at)))), 'seen_created', if(countIf(p.source = 'created') > 0, 'true', 'false'))
FROM pool_sightings AS p
WHERE p.chain = {chain:String} AND p.block_number <= {height:UInt64} AND p.trusted AND startsWith(p.pool, unhex(repeat('00', 12))) AND p.pool != toFixedString('', 32)
GROUP BY p.pool
