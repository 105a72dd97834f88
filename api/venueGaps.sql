-- What venues said in the last day and nobody heard: stretches of time, and how long the longest of them was. Grain: one venue and kind of what is missing: dealt: trades
-- and fills, which were asked for again and are missing for good, or have yet to be asked for; shown: prices, contexts and books, which nobody tells afterwards. Parameters: none.
-- What an account dealt before it was followed is judged with the account. What overlaps is one stretch, however many channels and coins were cut. Sort key: hl_gaps (chain, time, …); it is small.
SELECT chain, kind, toFloat64(count()) AS gaps, toFloat64(max(seconds)) AS seconds FROM (
  SELECT chain, kind, nth, dateDiff('second', min(begin), max(finish)) AS seconds FROM (
    SELECT chain, kind, begin, finish, sum(apart) OVER (PARTITION BY chain, kind ORDER BY begin, finish ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS nth FROM (
      SELECT chain, kind, begin, finish, begin > max(finish) OVER (PARTITION BY chain, kind ORDER BY begin, finish ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS apart FROM (
        SELECT DISTINCT toString(g.chain) AS chain, arrayJoin(multiIf(g.channel IN ('allMids', 'l2Book', 'activeAssetCtx'), ['shown'], g.channel = 'all', ['dealt', 'shown'], ['dealt'])) AS kind, g.from_time AS begin, greatest(g.from_time, g.to_time) AS finish
        FROM hl_standing_gaps AS g WHERE g.time > now64(3, 'UTC') - INTERVAL 1 DAY AND g.channel != 'history'
      )
    )
  ) GROUP BY chain, kind, nth
) GROUP BY chain, kind
