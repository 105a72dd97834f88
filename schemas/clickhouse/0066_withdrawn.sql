-- A request for blocks may be withdrawn: a second row of its id says so, by whom and when. What was planned before goes through, the rest is not fetched.
ALTER TABLE targets MODIFY COLUMN kind Enum8('follow' = 1, 'backfill' = 2, 'withdrawn' = 3);

-- What is wanted now. Grain: one request that nobody withdrew.
CREATE OR REPLACE VIEW wanted AS
SELECT chain, id, kind, from_block, to_block, requested_by, requested_at FROM targets
WHERE kind != 'withdrawn' AND (chain, id) NOT IN (SELECT chain, id FROM targets WHERE kind = 'withdrawn');
