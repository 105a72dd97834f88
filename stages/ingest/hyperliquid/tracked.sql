-- Whose money and positions are asked for: of the newest leaderboard that the venue said, the accounts that earned most over 30 days; and the most suspected, whose fills a node's files told: what came in and went
-- out again speaks for suspicion or against it. Grain: one account. Parameters: chain, most, suspects, followed (accounts that are asked about anyway, 0x and 40 hex digits, lower case).
-- What is made is left out: the venue knows nothing of it. So is who has nothing there, of the leaderboard: nobody holds a position without money. Of a master whose sub-accounts
-- hold what it is ranked for, its own positions are all that is seen. A leaderboard older than two days says nothing of who trades now. Reads hl_leaderboard by its days and (chain, period), hl_traders by chain.
SELECT concat('0x', lower(hex(account))) AS name FROM (
  SELECT l.account AS account, 1 AS rank, max(l.pnl) AS by FROM hl_leaderboard AS l
  WHERE l.chain = {chain:String} AND l.period = 'month' AND l.source != 'synthetic' AND l.account_value > 0
    AND l.heard_at = (SELECT max(n.heard_at) FROM hl_leaderboard AS n WHERE n.chain = {chain:String} AND n.period = 'month' AND n.source != 'synthetic' AND n.heard_at > now64(3) - INTERVAL 2 DAY)
    AND NOT has({followed:Array(String)}, concat('0x', lower(hex(l.account))))
  GROUP BY l.account ORDER BY by DESC, account LIMIT {most:UInt32}
  UNION ALL
  SELECT s.account, 2, toDecimal128(s.suspicion, 18) FROM hl_traders AS s FINAL
  WHERE s.chain = {chain:String} AND s.suspicion > 0 AND NOT startsWith(s.account, unhex('53594e54')) AND NOT has({followed:Array(String)}, concat('0x', lower(hex(s.account))))
  ORDER BY s.suspicion DESC, s.last_at DESC, s.account LIMIT {suspects:UInt32}
) GROUP BY account ORDER BY min(rank), argMin(by, rank) DESC, account
