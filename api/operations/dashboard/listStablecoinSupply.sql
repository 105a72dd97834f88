-- How much of each stablecoin there is by its own mints and burns, since the chain began: only where every block of the chain is in the store.
-- Null where more was burnt than minted, because some was there without an event. Grain: one stablecoin. Parameters: chain, newest.
-- Sort key: transfers and logs (chain, block_number, …), all of them up to the height.
SELECT concat('0x', lower(hex(s.token))) AS token, if(sumIf(s.amount, s.kind = 'mint') >= sumIf(s.amount, s.kind = 'burn'), toNullable(toString(sumIf(s.amount, s.kind = 'mint') - sumIf(s.amount, s.kind = 'burn'))), NULL) AS supply
FROM stablecoin_events AS s
WHERE s.chain = {chain:String} AND s.block_number <= {newest:UInt64}
GROUP BY s.token
