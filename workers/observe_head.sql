-- Writes down that a head was seen, after all that were seen before, whatever the clocks of those who did so said. Grain: one row of heads. Parameters: chain, number, hash, time (Unix seconds), finalized, endpoint.
-- Sort key (chain, observed_at), of which the end is read.
INSERT INTO heads (chain, number, hash, block_time, finalized, endpoint, observed_at)
SELECT {chain:String}, {number:UInt64}, {hash:String}, fromUnixTimestamp64Milli(toInt64({time:Float64} * 1000), 'UTC'), {finalized:UInt64}, {endpoint:String}, greatest(now64(3, 'UTC'), ifNull(
  (SELECT h.observed_at + toIntervalMillisecond(1) FROM heads AS h WHERE h.chain = {chain:String} ORDER BY h.observed_at DESC LIMIT 1), toDateTime64(0, 3, 'UTC')))
