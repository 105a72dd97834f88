-- Who leads when a look begins: by closed profit less fees of the days before, with so much volume and more gained than lost (so that the return on any capital is positive). Funding is told of those alone
-- that are followed, so it ranks nobody. Grain: one account. Parameters: chain, from_time (Unix seconds). Sort key: hl_holdings (chain, base, account, …).
INSERT INTO hl_leading (chain, look, account)
WITH (SELECT argMax(least, revision) FROM hl_signal_rules WHERE kind = 'bars') AS numbers
SELECT {chain:String}, toDateTime({from_time:UInt32}, 'UTC'), account FROM hl_held(chain = {chain:String}, from_time = {from_time:UInt32})
GROUP BY account HAVING toFloat64(sum(dealt)) >= numbers['smart_usd'] AND sum(earned) > 0
ORDER BY sum(earned) DESC, account LIMIT (SELECT toUInt32(argMax(least, revision)['smart_accounts']) FROM hl_signal_rules WHERE kind = 'bars')
