-- Rule contract, version 2: an address that emitted a log and signed no transaction, or that a transaction created and that is known to have succeeded. Only contracts do;
-- who signs may have lent its address to a contract's code (EIP-7702), and then emits logs, too.
-- Grain: one address. Parameters: chain, version, height, first and last (of the slice of addresses, in hex). Sort keys: logs and transactions (chain, block_number, …), read whole, by their addresses first.
-- The first log of an address is the least by (height, transaction, place), compared as one text with the highest byte first: to compare tuples takes three times as long.
INSERT INTO label_candidates (version, chain, address, label, entity, category, rule, rule_version, level, valid_from, evidence_rows, first_block, last_block, value_usd, examples, facts)
SELECT {version:UInt64}, {chain:String}, concat('0x', lower(hex(account))) AS address, 'contract', '', 'contract', 'contract', 2, 'ledger_immanent', first_time, told, first_told, first_told, NULL, [example],
  map('created_in_sight', toString(created))
FROM (
  SELECT account, sum(rows) AS told, min(at.1) AS first_told, min(at) AS example, min(time) AS first_time, max(born) AS created
  FROM (
    SELECT e.account AS account, e.rows AS rows, (byteSwap(reinterpretAsUInt64(substring(e.first, 1, 8))), toFixedString(substring(e.first, 9, 32), 32), byteSwap(reinterpretAsUInt32(substring(e.first, 41, 4)))) AS at, e.time AS time, false AS born
    FROM (
      SELECT l.address AS account, count() AS rows, min(concat(reinterpretAsFixedString(byteSwap(l.block_number)), l.tx_hash, reinterpretAsFixedString(byteSwap(l.log_index)))) AS first, min(l.block_time) AS time FROM logs AS l
      WHERE l.chain = {chain:String} AND l.block_number <= {height:UInt64} AND l.address BETWEEN toFixedString(unhex({first:String}), 20) AND toFixedString(unhex({last:String}), 20)
        AND l.address NOT IN (SELECT s.from_address FROM transactions AS s WHERE s.chain = {chain:String} AND s.block_number <= {height:UInt64} AND s.from_address BETWEEN toFixedString(unhex({first:String}), 20) AND toFixedString(unhex({last:String}), 20)
          AND s.from_address IN (SELECT k.address FROM logs AS k WHERE k.chain = {chain:String} AND k.block_number <= {height:UInt64} AND k.address BETWEEN toFixedString(unhex({first:String}), 20) AND toFixedString(unhex({last:String}), 20)))
      GROUP BY account
    ) AS e
    UNION ALL
    SELECT t.contract_address, 1, (t.block_number, t.tx_hash, t.tx_index), t.block_time, true FROM transactions AS t
    WHERE t.chain = {chain:String} AND t.block_number <= {height:UInt64} AND t.creates_contract AND t.status = 1 AND t.contract_address BETWEEN toFixedString(unhex({first:String}), 20) AND toFixedString(unhex({last:String}), 20)
  )
  GROUP BY account
)
