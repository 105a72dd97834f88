-- Whose positions are asked for: of the newest leaderboard that the venue said, the accounts that earned most over 30 days. Grain: one account. Parameters: chain, most, followed (accounts that are asked about
-- anyway, 0x and 40 hex digits, lower case). What is made is left out: the venue knows nothing of it. So is who has nothing there: nobody holds a position without money. Of a master whose sub-accounts
-- hold what it is ranked for, its own positions are all that is seen. A leaderboard older than two days says nothing of who trades now. Reads hl_leaderboard by its days and (chain, period).
SELECT concat('0x', lower(hex(l.account))) AS account FROM hl_leaderboard AS l
WHERE l.chain = {chain:String} AND l.period = 'month' AND l.source != 'synthetic' AND l.account_value > 0
  AND l.heard_at = (SELECT max(n.heard_at) FROM hl_leaderboard AS n WHERE n.chain = {chain:String} AND n.period = 'month' AND n.source != 'synthetic' AND n.heard_at > now64(3) - INTERVAL 2 DAY)
  AND NOT has({followed:Array(String)}, concat('0x', lower(hex(l.account))))
GROUP BY l.account ORDER BY max(l.pnl) DESC, l.account LIMIT {most:UInt32}
