-- What there may be to tell of a chain: the server's time now, since when (that asked for, or where it lies later the time before which all has landed; both Unix milliseconds), transfers of watched addresses that landed
-- after that, the lowest height rollbacks cut at (null: none) since then and in the last day, and the last event of the feed. Parameters: chain, since (Unix milliseconds), late (milliseconds within which rows
-- land that bear the time of now). Grain: one row. Sort keys: watched_transfers by its index on landed_at, rollbacks_applied (chain, …), watch_alerts (owner, seq).
WITH toUnixTimestamp64Milli(now64(3)) AS now_ms, least({since:Int64}, now_ms - {late:Int64}) AS since_ms
SELECT now_ms AS now, since_ms AS since,
  (SELECT count() FROM watched_transfers AS t WHERE t.chain = {chain:String} AND t.landed_at > fromUnixTimestamp64Milli(since_ms)) AS landed,
  (SELECT minOrNull(r.from_block) FROM rollbacks_applied AS r WHERE r.chain = {chain:String} AND r.step = 'done' AND r.at > least(now64(6) - INTERVAL 1 DAY, fromUnixTimestamp64Milli(since_ms))) AS cut,
  (SELECT max(a.seq) FROM watch_alerts AS a) AS seq
