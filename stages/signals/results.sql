-- How every version of every rule did, and the lots beside it, of all that is over by a run; losers and what was given up included. Grain: one version of one rule, or its lots, in one part.
-- Parameters: chain, to_time (Unix seconds), through (the last segment that tells what was not heard). Sort keys: hl_outcomes, hl_signals (chain, time, …), hl_marks (chain, known_until, id). split_at: the time before which train_share of the signals that are over were given.
-- low and high: 95 % of 200 draws, in each of which a signal counts as often as Poisson(1) by its hash says, so that the same signals give the same bounds.
-- train: left by then, so that none of it looks past the split; test: given since. What nobody traded in time counts as unfilled and in no mean.
-- So does, as unknown, what trades may be missing of between its signal and its end (of the minute in which it was hit or turned), as is told by now, and what funding is not known of.
INSERT INTO hl_results (chain, known_until, kind, version, baseline, part, split_at, since, closed, unfilled, unknown, reconstructed, wins, pnl_usd, mean_bps, low_bps, high_bps, profit_factor, sharpe, drawdown_usd, open, open_pnl_usd)
WITH
  toDateTime({to_time:UInt32}, 'UTC') AS until, (SELECT argMax(least, revision) FROM hl_signal_rules WHERE kind = 'bars')['train_share'] AS share,
  (SELECT if(count() = 0, toDateTime(0, 'UTC'), arraySort(groupArray(o.time))[toUInt32(greatest(1, ceil(count() * share)))]) FROM hl_outcomes AS o WHERE o.chain = {chain:String} AND NOT o.baseline AND o.time < until) AS split,
  marked AS (SELECT kind, version, baseline, count() AS number, sum(pnl_usd) AS pnl FROM hl_marks WHERE chain = {chain:String} AND known_until = until GROUP BY kind, version, baseline)
SELECT {chain:String}, until, r.kind, r.version, r.baseline, r.part, split, r.since, toUInt32(length(r.pnls)), r.unfilled, r.unknown, r.late, toUInt32(arrayCount(p -> p > 0, r.pnls)), round(arraySum(r.pnls), 6), if(empty(r.bps), NULL, round(arrayAvg(r.bps), 6)),
  if(empty(r.means), NULL, round(r.means[toUInt32(ceil(0.025 * length(r.means)))], 6)), if(empty(r.means), NULL, round(r.means[toUInt32(ceil(0.975 * length(r.means)))], 6)), if(arrayExists(p -> p < 0, r.pnls), arraySum(p -> greatest(p, 0), r.pnls) / -arraySum(p -> least(p, 0), r.pnls), NULL),
  if(length(r.bps) >= 20 AND r.spread > 0, arrayAvg(r.bps) / r.spread, NULL), arrayFold((kept, p) -> (greatest(kept.1, kept.2 + p), kept.2 + p, greatest(kept.3, kept.1 - kept.2 - p)), r.pnls, (0., 0., 0.)).3, toUInt32(m.number), ifNull(m.pnl, 0)
FROM (
  SELECT kind, version, baseline, part, min(time) AS since, toUInt32(countIf(pnl IS NULL AND NOT uncertain)) AS unfilled, toUInt32(countIf(uncertain)) AS unknown, toUInt32(countIf(recorded)) AS late, arraySort(groupArrayIf((time, id, assumeNotNull(pnl), assumeNotNull(pnl) / quantity * 10000), pnl IS NOT NULL)) AS over,
    arrayMap(o -> o.3, over) AS pnls, arrayMap(o -> o.4, over) AS bps, stddevSampIf(pnl / quantity * 10000, pnl IS NOT NULL) AS spread,
    if(part = 'train' OR baseline OR length(bps) < 2, [], arraySort(arrayFilter(isFinite, arrayMap((sum, weight) -> sum / weight, sumForEachIf(arrayMap(weight -> weight * assumeNotNull(pnl) / quantity * 10000, weights), pnl IS NOT NULL), sumForEachIf(weights, pnl IS NOT NULL))))) AS means
  FROM (
    SELECT o.kind AS kind, o.version AS version, o.baseline AS baseline, o.time AS time, o.id AS id, n.reaches > o.begins OR e.reaches > o.begins AS unheard, if(unheard, NULL, o.pnl_usd) AS pnl, unheard OR (o.entry_at IS NOT NULL AND o.pnl_usd IS NULL) AS uncertain, s.quantity_usd AS quantity, s.reconstructed AS recorded,
      arrayMap(draw -> toFloat64(arrayCount(level -> cityHash64(draw, o.id) / 18446744073709551616. > level, [0.367879, 0.735759, 0.919699, 0.981012, 0.99634, 0.999406, 0.999917])), range(200)) AS weights,
      arrayJoin(arrayFilter(p -> p != '', ['all', multiIf(o.exit_at <= split, 'train', o.time > split, 'test', '')])) AS part
    FROM (SELECT *, toString(coin) AS name, '' AS every, toDateTime64(time, 3, 'UTC') AS begins, toDateTime64(exit_at, 3, 'UTC') + toIntervalSecond(if(reason = 'horizon', 0, 60)) AS ends FROM hl_outcomes WHERE chain = {chain:String} AND time < until) AS o
    INNER JOIN (SELECT id, quantity_usd, reconstructed FROM hl_signals WHERE chain = {chain:String} AND time < until) AS s ON s.id = o.id
    ASOF LEFT JOIN (SELECT * FROM hl_unheard(chain = {chain:String}, through = {through:UInt64}, since = 0)) AS n ON n.coin = o.name AND n.from_time < o.ends
    ASOF LEFT JOIN (SELECT * FROM hl_unheard(chain = {chain:String}, through = {through:UInt64}, since = 0)) AS e ON e.coin = o.every AND e.from_time < o.ends
  ) GROUP BY kind, version, baseline, part
) AS r LEFT JOIN marked AS m ON m.kind = r.kind AND m.version = r.version AND m.baseline = r.baseline
ORDER BY r.kind, r.version, r.baseline, r.part
