-- Of how many of these accounts the venue has not said yet what they are: the lists of traders leave vaults out, and who is not known to be one stands on them. Grain: one row.
-- Parameters: addresses (0x and 40 hex digits, lower case). What is made is no account of the venue's. Sort key: hl_records (chain, type, account).
SELECT toFloat64(count()) AS unsaid FROM (SELECT arrayJoin({addresses:Array(String)}) AS address) AS a
WHERE NOT startsWith(a.address, '0x53594e54') AND a.address NOT IN (
  SELECT r.account FROM hl_records AS r WHERE r.chain = 'HL' AND r.type = 'userRole' AND r.account IN ({addresses:Array(String)}) AND JSONExtractString(r.item, 'role') != ''
)
