-- How many addresses have a class that counts as smart money, or lead on the leaderboards of one run; and that run. Grain: one row.
-- Parameters: chain, run (the height from which it is in force; '': the newest run).
-- label_of is in memory; leaders of one run are few.
WITH if({run:String} = '', (SELECT max(r.in_force_from) FROM leader_runs AS r WHERE r.chain = {chain:String}), toUInt64OrZero({run:String})) AS led
SELECT (SELECT count() FROM dictionary(label_of) AS d WHERE d.chain = {chain:String} AND d.category IN ('fund', 'whale', 'smart'))
  + (SELECT uniqExact(l.account) FROM leaders AS l WHERE l.chain = {chain:String} AND l.in_force_from = led) AS count,
  toString(led) AS run
