-- Where positions seen in five minutes would be closed by force: an estimate from the positions that are followed, never the whole market. Grain: one bin of half a percent of a coin at a time.
-- Parameters: chain, from_time, to_time (Unix seconds), through. Sort keys: hl_positions by time within its partitions, hl_bars (chain, coin, start).
-- Positions without a liquidation price, and those further than half the price away, are left out. coverage: value of all positions seen as a share of open interest. These are longs and shorts, and every contract is held by one of each: all of a market would be 2.
INSERT INTO hl_liquidation_levels (chain, coin, time, side, px, distance, usd, accounts, coverage)
WITH
  toDateTime({from_time:UInt32}, 'UTC') AS first, toDateTime({to_time:UInt32}, 'UTC') AS last,
  toIntervalSecond(toUInt32((SELECT argMax(least, revision) FROM hl_signal_rules WHERE kind = 'bars')['recorded_minutes'] * 60)) AS late,
  seen AS (
    SELECT coin, at, account, argMax((szi, level, value), time) AS p, p.3 / abs(p.1) AS price FROM (
      SELECT toString(q.coin) AS coin, q.account AS account, q.time AS time, if(q.heard_at > q.time + late, q.time, q.heard_at) AS known, toStartOfFiveMinutes(toDateTime(known, 'UTC')) + INTERVAL 5 MINUTE AS at,
        toFloat64(q.szi) AS szi, ifNull(toFloat64(q.liquidation_px), 0) AS level, abs(toFloat64(q.position_value)) AS value
      FROM hl_positions AS q WHERE q.chain = {chain:String} AND q.market = 'perp' AND q.block_number <= {through:UInt64} AND q.time >= first - late AND q.time < last + INTERVAL 1 DAY AND known >= first AND known < last
    ) GROUP BY coin, at, account HAVING p.1 != 0 AND p.3 > 0
  ),
  marked AS (SELECT coin, at, median(price) AS mark, sum(p.3) AS value FROM seen GROUP BY coin, at),
  interest AS (SELECT toString(b.coin) AS coin, toStartOfFiveMinutes(b.start) + INTERVAL 5 MINUTE AS at, argMax(toFloat64(b.open_interest), b.start) AS units FROM hl_bars AS b WHERE b.chain = {chain:String} AND b.start >= first AND b.start < last AND b.open_interest IS NOT NULL GROUP BY coin, at)
SELECT {chain:String}, s.coin, s.at, if(s.p.1 > 0, 'long', 'short') AS side, mark * (1 + (bin + 0.5) * 0.005), (bin + 0.5) * 0.005, sum(s.p.3), toUInt32(count()), any(if(i.units > 0, m.value / (i.units * m.mark), NULL))
FROM seen AS s INNER JOIN marked AS m ON m.coin = s.coin AND m.at = s.at LEFT JOIN interest AS i ON i.coin = s.coin AND i.at = s.at
WHERE s.p.2 > 0 AND abs(s.p.2 / m.mark - 1) <= 0.5
GROUP BY s.coin, s.at, side, m.mark AS mark, floor((s.p.2 / m.mark - 1) / 0.005) AS bin
ORDER BY s.coin, s.at, bin
