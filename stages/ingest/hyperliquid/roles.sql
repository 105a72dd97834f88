-- Of whom it is asked next what they are: the venue lists no vaults but those of the last two hours, so each account that reaches a list of traders is asked about once, and the answer is kept for good.
-- Grain: one account. Parameters: chain, most (of those fit to be copied, of those under suspicion, of those with a style that is listed, of the others: so many each, by what they earned), at_once, asked (accounts
-- whose answer may not have landed yet, 0x and 40 hex digits, lower case). What is made is left out: the venue knows nothing of it. Sort keys: hl_traders (chain, account), a few columns of all; hl_records (chain, type).
SELECT k.name AS name FROM (
  SELECT concat('0x', lower(hex(t.account))) AS name, t.net_usd AS net, multiIf(t.copy_score > 0, 1, t.suspicion > 0, 2, t.style IN ('SNIPER', 'DIRECTIONAL', 'STEAMROLLER', 'HEDGER'), 3, 4) AS list
  FROM hl_traders AS t FINAL
  WHERE t.chain = {chain:String} AND NOT has(t.flags, 'vault') AND NOT startsWith(t.account, unhex('53594e54'))
  ORDER BY net DESC, name LIMIT {most:UInt32} BY list
) AS k
WHERE NOT has({asked:Array(String)}, k.name) AND k.name NOT IN (SELECT r.account FROM hl_records AS r WHERE r.chain = {chain:String} AND r.type = 'userRole' AND JSONExtractString(r.item, 'role') != '')
ORDER BY k.list, k.net DESC, k.name LIMIT {at_once:UInt32}
