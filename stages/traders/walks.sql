-- Which coins of which accounts a run walks anew, and from when: the last time before the first new fill or payment at which the account was flat and nothing else
-- happened in that moment, else all that is known. Accounts judged longer ago than a day are judged anew, without a walk (coin ''), and so are those of which the venue has said since that they are vaults.
-- Grain: one coin of one account. Parameters: chain, run, done, upto, until (Unix milliseconds). Sort keys: hl_touched (chain, block_number), hl_trips (chain, account, coin), hl_records (chain, type).
INSERT INTO hl_walks (chain, run, account, coin, since)
WITH touched AS (
  SELECT n.account AS account, toString(n.coin) AS coin, min(n.since) AS first FROM hl_touched AS n
  WHERE n.chain = {chain:String} AND n.block_number > {done:UInt64} AND n.block_number <= {upto:UInt64} GROUP BY n.account, n.coin
)
SELECT {chain:String}, {run:UInt64}, t.account, t.coin, k.opened_at
FROM touched AS t ASOF LEFT JOIN (
  SELECT account, toString(coin) AS coin, opened_at FROM hl_trips FINAL WHERE chain = {chain:String} AND account IN (SELECT account FROM touched) AND clean
) AS k ON k.account = t.account AND k.coin = t.coin AND k.opened_at < t.first
UNION ALL
SELECT {chain:String}, {run:UInt64}, j.account, '', toDateTime64(0, 3, 'UTC') FROM hl_traders AS j FINAL
WHERE j.chain = {chain:String} AND j.account NOT IN (SELECT account FROM touched) AND (j.judged_at < fromUnixTimestamp64Milli({until:Int64}, 'UTC') - INTERVAL 1 DAY
  OR (NOT has(j.flags, 'vault') AND concat('0x', lower(hex(j.account))) IN (SELECT r.account FROM hl_records AS r WHERE r.chain = {chain:String} AND r.type = 'userRole' AND JSONExtractString(r.item, 'role') = 'vault')))
