-- How many accounts under suspicion cannot be shown to have made a multiple of what they put in, since that is not known. Grain: one row. Parameters: hours.
-- Sort key: hl_traders (chain, account), read whole: one row an account.
WITH (SELECT argMax(numbers, version)['flagged'] FROM hl_trader_rules WHERE rule = 'insider') AS least_score
SELECT toFloat64(count()) AS unfunded FROM hl_traders FINAL
WHERE chain = 'HL' AND suspicion >= least_score AND NOT has(flags, 'vault') AND NOT metrics[if({hours:UInt32} > 24 * window_days, 'put_in_year_usd', 'put_in_usd')] > 0 AND last_at > now64(3, 'UTC') - toIntervalHour({hours:UInt32})
