-- How many transfers the addresses that an entity has now took part in. Grain: one row. Parameters: chain, entity (as labels has it).
-- Sort key: address_segments (chain, address, hour, segment), by the addresses. labels is small and read whole.
SELECT toFloat64(sum(s.transfers_in + s.transfers_out)) AS transfers
FROM address_segments AS s FINAL
WHERE s.chain = {chain:String} AND s.address IN (SELECT toFixedString(unhex(substring(l.address, 3)), 20) FROM labels AS l FINAL
  WHERE l.chain = {chain:String} AND l.entity = {entity:String} AND NOT l.removed AND match(l.address, '^0x[0-9a-f]{40}$'))
