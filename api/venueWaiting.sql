-- What of a venue was heard and has not passed a stage: since when the oldest segment above the one that has landed it has been there (Unix milliseconds; null: none waits), and how many letters of jobs that
-- gave up there are, whether or not they still mean anything. Grain: one row. Parameters: chain, stage.
-- Times and not counts: a segment of a socket is a tenth of a second, one of a file what was written in it. Sort keys: batches (chain, from_block, …), read backwards up to the first; heads (chain, observed_at); dead_letters is small.
WITH (SELECT max(to_block) FROM (SELECT b.to_block AS to_block FROM batches AS b WHERE b.chain = {chain:String} AND b.stage = {stage:String} ORDER BY b.chain DESC, b.from_block DESC LIMIT 1)) AS landed
SELECT if(count() = 0, NULL, toNullable(toFloat64(toUnixTimestamp64Milli(min(h.observed_at))))) AS since, toFloat64((SELECT count() FROM dead_letters AS d FINAL WHERE d.chain = {chain:String} AND d.state = 'dead')) AS letters
FROM heads AS h WHERE h.chain = {chain:String} AND h.number > landed
