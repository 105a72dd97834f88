-- Whether a token or a pool is known at all: of one that is, a span without a trade is quiet; of an address that nobody has seen there is nothing to tell.
-- Grain: one row. Parameters: chain, token (hex without 0x; '': none), pool (64 hex digits without 0x; '': none).
-- An aggregator's contract is seen in its swaps alone: it has no pair of its own.
-- Sort keys: tokens (chain, address), pool_sightings (chain, pool, …); swaps by its index of pools; token_segments is read by its columns, until the token is found.
SELECT count() > 0 AS known FROM (
  SELECT 1 FROM tokens AS t WHERE {token:String} != '' AND t.chain = {chain:String} AND t.address = toFixedString(unhex({token:String}), 20)
  UNION ALL
  SELECT 1 FROM token_segments AS s WHERE {token:String} != '' AND s.chain = {chain:String} AND s.token = toFixedString(unhex({token:String}), 20)
  UNION ALL
  SELECT 1 FROM pool_sightings AS p WHERE {pool:String} != '' AND p.chain = {chain:String} AND p.pool = toFixedString(unhex({pool:String}), 32)
  UNION ALL
  SELECT 1 FROM swaps AS w WHERE {pool:String} != '' AND w.chain = {chain:String} AND w.pool = toFixedString(unhex({pool:String}), 32)
  LIMIT 1
)
