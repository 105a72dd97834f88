-- Whether a batch's landed blocks are complete and hang together. Grain: one row. Parameters: chain, from, to, generation.
-- missing: numbers without a good answer; forked: numbers with two; broken: good blocks whose parent is not the block below.
-- problem and endpoint: of the newest refused answer. Sort key (chain, kind, number).
WITH good AS (
  SELECT number, groupUniqArray(block_hash) AS hashes, any(parent_hash) AS parent FROM raw_payloads
  WHERE chain = {chain:String} AND number BETWEEN {from:UInt64} AND {to:UInt64} AND kind = 'block' AND problem = '' AND generation = {generation:UInt32}
  GROUP BY number
), refused AS (
  SELECT argMax(concat('block ', toString(number), ': ', problem), fetched_at) AS newest_problem, argMax(endpoint, fetched_at) AS newest_endpoint FROM raw_payloads
  WHERE chain = {chain:String} AND number BETWEEN {from:UInt64} AND {to:UInt64} AND kind = 'block' AND problem != '' AND generation = {generation:UInt32}
)
SELECT
  arrayFilter(n -> NOT has(numbers, n), range({from:UInt64}, {to:UInt64} + 1)) AS missing,
  forked, lower(hex(tip)) AS tip_hash, lower(hex(first_parent)) AS first_parent,
  arrayFilter((n, i) -> i > 1 AND (numbers[i - 1] != n - 1 OR parents[i] != firsts[i - 1]), numbers, arrayEnumerate(numbers)) AS broken,
  (SELECT newest_problem FROM refused) AS problem, (SELECT newest_endpoint FROM refused) AS endpoint
FROM (
  SELECT groupArray(number) AS numbers, groupArray(hashes[1]) AS firsts, groupArray(parent) AS parents, countIf(length(hashes) > 1) AS forked,
    argMax(hashes[1], number) AS tip, argMin(parent, number) AS first_parent
  FROM (SELECT * FROM good ORDER BY number)
)
