-- Rule fresh_wallet, version 3: an address whose first transaction (nonce 0) is of the last 7 indexed days and that received a hundred thousand dollars or more (of the chain's coin and listed tokens) from others in that time.
-- A token that is not listed says what it likes of anybody, at what its maker's pool says, so it is not looked at. Version 2 looked at any.
-- The nonce proves that it had never sent before, whatever part of the chain is indexed.
-- Grain: one address. Parameters: chain, version, height. Sort keys: transactions and transfers (chain, block_number, …), by height.
INSERT INTO label_candidates (version, chain, address, label, entity, category, rule, rule_version, level, valid_from, evidence_rows, first_block, last_block, value_usd, examples, facts)
WITH
  (SELECT max(b.block_time) FROM blocks AS b WHERE b.chain = {chain:String} AND b.block_number = {height:UInt64}) - INTERVAL 7 DAY AS since,
  (SELECT min(b.block_number) FROM blocks AS b WHERE b.chain = {chain:String} AND b.block_time > since) AS low,
  born AS (
    SELECT f.from_address AS account, f.block_number AS block, f.block_time AS time, f.tx_hash AS hash, f.tx_index AS place FROM transactions AS f
    WHERE f.chain = {chain:String} AND f.block_number BETWEEN low AND {height:UInt64} AND f.nonce = 0
  )
SELECT {version:UInt64}, {chain:String}, concat('0x', lower(hex(n.account))) AS address, 'fresh wallet', '', 'fresh', 'fresh_wallet', 3, 'ledger_immanent', n.time, r.moves, least(n.block, r.low_block), greatest(n.block, r.high_block), r.usd,
  [(n.block, n.hash, n.place)], map('nonce', '0', 'usd_received', toString(round(r.usd)), 'days', '7')
FROM born AS n
INNER JOIN (
  SELECT t.to_address AS account, count() AS moves, sum(t.value_usd) AS usd, min(t.block_number) AS low_block, max(t.block_number) AS high_block FROM transfers AS t
  WHERE t.chain = {chain:String} AND t.block_number BETWEEN low AND {height:UInt64} AND t.value_usd > 0 AND t.kind IN ('native', 'internal', 'erc20') AND t.from_address != t.to_address AND t.to_address IN (SELECT account FROM born)
    AND (t.token = toFixedString('', 20) OR dictGet('token_of', 'listed', ({chain:String}, concat('0x', lower(hex(t.token))))))
  GROUP BY account HAVING usd >= 100000
) AS r ON r.account = n.account
