-- How many addresses have a class that counts as smart money, or lead on the newest leaderboards. Grain: one row. Parameters: chain.
-- label_of is in memory; leaders of one run are few.
SELECT (SELECT count() FROM dictionary(label_of) AS d WHERE d.chain = {chain:String} AND d.category IN ('fund', 'whale', 'smart'))
  + (SELECT uniqExact(l.account) FROM leaders AS l WHERE l.chain = {chain:String} AND l.in_force_from = (SELECT max(r.in_force_from) FROM leader_runs AS r WHERE r.chain = {chain:String})) AS count
