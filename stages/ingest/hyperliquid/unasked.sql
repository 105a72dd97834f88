-- Of the accounts followed those whose fills from before have not been asked for to their end. Grain: one account. Parameters: chain, followed (0x and 40 hex digits, lower case).
-- Sort key: hl_gaps (chain, time, channel, coin), which is small.
SELECT account AS name FROM (SELECT arrayJoin({followed:Array(String)}) AS account)
WHERE account NOT IN (SELECT g.coin FROM hl_gaps AS g WHERE g.chain = {chain:String} AND g.channel = 'history' AND g.state = 'over')
