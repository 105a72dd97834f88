-- What came of predictions whose hour is over: the last price of that hour, where there is one. Grain: one prediction without an outcome so far.
-- Parameters: chain, version (Unix seconds of the last hour that is over), lowest (height). Sort keys: predictions (chain, target_hour, …), prices (chain, token, block_number).
INSERT INTO prediction_outcomes (chain, target_hour, token, version, price, is_up, hit, found_at)
SELECT {chain:String}, p.target_hour, p.token, p.version, c.price, c.price > p.price AS is_up, is_up = (p.probability_up > 0.5), now64(3)
FROM predictions AS p
INNER JOIN (
  SELECT token, toStartOfHour(toDateTime(block_time)) AS hour, argMax(usd, block_number) AS price FROM prices
  WHERE chain = {chain:String} AND block_number >= {lowest:UInt64} AND token IN (SELECT token FROM predictions WHERE chain = {chain:String}) GROUP BY token, hour
) AS c ON c.token = p.token AND c.hour = p.target_hour
WHERE p.chain = {chain:String} AND p.target_hour <= toDateTime({version:UInt64}, 'UTC')
  AND (p.target_hour, p.token, p.version) NOT IN (SELECT target_hour, token, version FROM prediction_outcomes WHERE chain = {chain:String})
