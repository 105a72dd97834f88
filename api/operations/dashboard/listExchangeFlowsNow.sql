-- What went in and out of each exchange as its addresses are known today, whatever was known of them when it moved; moves between its own are not in it.
-- An exchange is an entity with a label of that class. Grain: one exchange. Parameters: chain, first, newest (heights), from (Unix milliseconds, at a full hour), limit.
-- Sort key: address_transfers (chain, address, block_number, …), by the addresses known and both heights.
SELECT mine AS exchange, toFloat64(countIf(direction = 'in')) AS transfers_in, toFloat64(countIf(direction = 'out')) AS transfers_out,
  sumIf(usd, direction = 'in') AS usd_in, sumIf(usd, direction = 'out') AS usd_out, usd_in - usd_out AS usd_net
FROM (
  SELECT dictGet('label_of', 'entity', ({chain:String}, concat('0x', lower(hex(t.address))))) AS mine, dictGet('label_of', 'entity', ({chain:String}, concat('0x', lower(hex(t.other))))) AS theirs,
    t.direction AS direction, ifNull(t.value_usd, 0) AS usd
  FROM address_transfers AS t
  WHERE t.chain = {chain:String} AND t.block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND t.block_time > fromUnixTimestamp64Milli({from:Int64}) AND t.address IN (
    SELECT toFixedString(unhex(substring(address, 3)), 20) FROM dictionary(label_of) WHERE chain = {chain:String} AND startsWith(address, '0x') AND length(address) = 42
      AND entity IN (SELECT entity FROM dictionary(label_of) WHERE chain = {chain:String} AND category = 'exchange' AND entity != '')
  )
)
WHERE mine != theirs
GROUP BY mine
ORDER BY usd_in + usd_out DESC, exchange
LIMIT {limit:UInt32}
