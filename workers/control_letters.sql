-- Dead letters that stand (standing_letters) below a position, newest first. letters and oldest are of all of them: where fewer than limit are left below, others follow to say so, told apart by below. Grain: one job. Parameters: before (ISO time) and before_id (the position), only (id of one; '': all), limit.
SELECT *, (at, id) < (parseDateTime64BestEffort({before:String}, 6, 'UTC'), {before_id:String}) AS below FROM (
  SELECT d.id AS id, d.chain AS chain, d.stage AS stage, d.from_block AS from_block, d.to_block AS to_block, d.hash AS hash, d.generation AS generation,
    d.code AS code, d.cause AS cause, d.endpoint AS endpoint, d.attempts AS attempts, d.first_at AS first_at, toDateTime64(d.at, 3, 'UTC') AS at, d.floor AS floor,
    count() OVER () AS letters, dateDiff('second', min(d.first_at) OVER (), now64(3)) AS oldest
  FROM standing_letters AS d
)
WHERE {only:String} = '' OR id = {only:String}
ORDER BY below DESC, at DESC, id DESC LIMIT {limit:UInt32}
