-- Perps of which rates of a week are known, of the last 30 days: of others they are asked for as far back. Grain: one coin. Parameters: chain. Sort key: hl_funding_rates (chain, coin, time), its last partitions.
SELECT toString(r.coin) AS name FROM hl_funding_rates AS r
WHERE r.chain = {chain:String} AND r.time > now64(3, 'UTC') - INTERVAL 30 DAY GROUP BY r.coin HAVING uniqExact(toStartOfHour(r.time)) >= 168
