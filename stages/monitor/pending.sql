-- What there may be to tell of a chain: transfers of watched addresses that landed, the lowest height rollbacks cut at (null: none) since then and in the last day, and the last event of the feed.
-- Grain: one row. Parameters: chain, since (transfers landed after it, Unix microseconds). Sort keys: watched_transfers by its index on landed_at, rollbacks_applied (chain, …), watch_alerts (owner, seq).
SELECT (SELECT count() FROM watched_transfers WHERE chain = {chain:String} AND landed_at > fromUnixTimestamp64Micro({since:Int64})) AS landed,
  (SELECT minOrNull(from_block) FROM rollbacks_applied WHERE chain = {chain:String} AND step = 'done' AND at > least(now64(6) - INTERVAL 1 DAY, fromUnixTimestamp64Micro({since:Int64}))) AS cut,
  (SELECT max(seq) FROM watch_alerts) AS seq
