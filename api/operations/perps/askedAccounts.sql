-- How many accounts the venue said what they hold of: within a day of the newest it said of any, or, of one account, ever (0 or 1). Grain: one row. Parameters: address ('' all accounts).
-- Sort key: hl_newest_accounts (chain, account, dex), one row each, read whole without an address.
WITH (SELECT least(max(n.time), now64(3, 'UTC')) FROM hl_newest_accounts AS n WHERE n.chain = 'HL') AS seen
SELECT toFloat64(uniqExact(a.account)) AS asked FROM hl_newest_accounts AS a
WHERE a.chain = 'HL' AND ({address:String} != '' OR a.time > seen - INTERVAL 1 DAY) AND ({address:String} = '' OR a.account = toFixedString(unhex(substring({address:String}, 3)), 20))
