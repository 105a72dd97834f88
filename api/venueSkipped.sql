-- Since when the oldest batch of a venue that passed enrich in the last six hours waits for a later stage, also where others above it have passed that (Unix milliseconds; null: none waits).
-- Grain: one row. Parameters: chain, stage. A venue's ledger is never rolled back. Sort keys: heads (chain, observed_at); batches (chain, from_block, …) from the segment that was the head then.
WITH (SELECT if(count() = 0, toUInt64(18446744073709551615), min(h.number)) FROM heads AS h WHERE h.chain = {chain:String} AND h.observed_at > now64(3) - INTERVAL 6 HOUR) AS lowest
SELECT if(count() = 0, NULL, toNullable(toFloat64(toUnixTimestamp64Milli(min(e.finished_at))))) AS since
FROM batches AS e
WHERE e.chain = {chain:String} AND e.stage = 'enrich' AND e.from_block >= lowest
  AND (e.from_block, e.to_block, e.hash, e.generation) NOT IN (SELECT p.from_block, p.to_block, p.hash, p.generation FROM batches AS p WHERE p.chain = {chain:String} AND p.stage = {stage:String} AND p.from_block >= lowest)
