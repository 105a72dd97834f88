-- Stretches of time of which it is not known what was dealt at a venue, by the times of the deals: before anything was told, where nothing was for long, and the gaps that were. The newest 2,000 of a kind.
-- Grain: one stretch of one kind, Unix milliseconds. kind: trades (said live, or by a node's files), fills (of all accounts: a node's files alone; none where those never told), gap: what is known to be missing.
-- What one account dealt before it was followed is judged with the account. What is listened to has gaps where it was cut, so it takes a day of silence to say that nobody did; files are of hours, and one without a single deal is missing. Parameters: chain.
-- Sort keys: hl_told (chain, told, start), a row an hour; hl_gaps (chain, time, …); both are small.
WITH
  buckets AS (SELECT h.told AS told, min(h.first) AS begin, max(h.last) AS finish FROM hl_told AS h WHERE h.chain = {chain:String} AND h.start <= now('UTC') GROUP BY h.told, h.start),
  spans AS (
    SELECT 'trades' AS kind, begin, finish, finish + toIntervalHour(if(told IN ('live', 'made'), 24, 1)) AS reach FROM buckets
    UNION ALL SELECT 'fills', begin, finish, finish + toIntervalHour(if(told = 'made', 24, 1)) FROM buckets WHERE told IN ('fills', 'made')
    -- What is not told up to now is behind the last of what was.
    UNION ALL SELECT arrayJoin(if((SELECT count() FROM buckets WHERE told IN ('fills', 'made')) > 0, ['trades', 'fills'], ['trades'])), now64(3, 'UTC'), now64(3, 'UTC'), now64(3, 'UTC')
  ),
  gaps AS (
    SELECT DISTINCT g.from_time AS begin, greatest(g.from_time, g.to_time) AS finish FROM hl_standing_gaps AS g
    WHERE g.chain = {chain:String} AND g.channel NOT IN ('allMids', 'l2Book', 'activeAssetCtx', 'history')
  )
SELECT kind, from, to FROM (
  SELECT kind, toFloat64(toUnixTimestamp64Milli(low)) AS from, toFloat64(toUnixTimestamp64Milli(high)) AS to FROM (
    SELECT kind, max(finish) OVER before AS low, begin AS high, max(reach) OVER before AS reached FROM spans
    WINDOW before AS (PARTITION BY kind ORDER BY begin, finish ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
  ) WHERE high > reached
  UNION ALL
  SELECT 'gap', toFloat64(toUnixTimestamp64Milli(min(begin))), toFloat64(toUnixTimestamp64Milli(max(finish))) FROM (
    SELECT begin, finish, sum(apart) OVER (ORDER BY begin, finish ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS nth FROM (
      SELECT begin, finish, begin > max(finish) OVER (ORDER BY begin, finish ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS apart FROM gaps
    )
  ) GROUP BY nth
)
ORDER BY kind, to DESC LIMIT 2000 BY kind
