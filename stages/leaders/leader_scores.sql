-- Scores one slice of the wallets that a rule lets in, over some days up to a height. Grain: one wallet. Parameters: chain, rule, rule_version,
-- as_of, until (Unix milliseconds of that block), days, first and last (of the slice of addresses, in hex), and the numbers of the rule (leader_rules).
-- gas_usd and net_usd count gas without a price as 0; gas_unpriced is in how many transactions.
-- Excluded is who has such a class by label_of or by a rule: derived_labels, narrowed to the accounts of the slice.
-- No block below low is of these days. A block may be earlier than the one before it, so one from low on need not be: the time decides.
-- Sort keys: wallet_trades (chain, account, …), who trades in these days by the slice, partition and index of block_number; wallet_trades and address_transfers (chain, address, …) by the wallets that trade enough; label_changes (chain, address, …), by accounts that trade.
INSERT INTO leader_scores (chain, rule, rule_version, as_of, days, account, realised_usd, fifo_usd, gas_usd, net_usd, volume_usd, trades, closed, wins, tokens, best_token, best_usd, unknown_share, hold_hours, gas_unpriced)
WITH
  toUInt32(intDiv({until:Int64}, 1000) - 86400 * {days:Int64}) AS since,
  (SELECT min(b.block_number) FROM blocks AS b WHERE b.chain = {chain:String} AND toUnixTimestamp(b.block_time) > since) AS low,
  busy AS MATERIALIZED (
    SELECT w.account AS account, uniqExact(w.tx_hash) AS txs, sum(ifNull(w.gas_usd, 0)) AS gas, sum(ifNull(w.usd, 0)) AS volume, countIf(w.gas_wei > 0 AND isNull(w.gas_usd)) AS unpriced
    FROM wallet_trades AS w
    WHERE w.chain = {chain:String} AND w.block_number BETWEEN low AND {as_of:UInt64} AND toUnixTimestamp(w.block_time) > since AND w.account BETWEEN toFixedString(unhex({first:String}), 20) AND toFixedString(unhex({last:String}), 20)
    GROUP BY account
    HAVING countIf(w.side = 'sell') >= {min_closed:UInt32} AND uniqExact(w.token) >= {min_tokens:UInt32} AND volume >= {min_volume_usd:Float64} AND countIf(w.role != 'party') > 0
      AND txs <= {max_trades_per_day:Float64} * {days:Float64} AND txs - uniqExact(w.block_number) <= {max_same_block_share:Float64} * txs
      AND NOT has({excluded_classes:Array(String)}, dictGet('label_of', 'category', ({chain:String}, concat('0x', lower(hex(account))))))
      AND account NOT IN (
        SELECT toFixedString(unhex(substring(d.address, 3)), 20) FROM derived_labels AS d
        WHERE d.chain = {chain:String} AND NOT d.cut AND has({excluded_classes:Array(String)}, toString(d.category))
          AND d.address IN (SELECT DISTINCT concat('0x', lower(hex(t.account))) FROM wallet_trades AS t WHERE t.chain = {chain:String} AND t.block_number BETWEEN low AND {as_of:UInt64} AND t.account BETWEEN toFixedString(unhex({first:String}), 20) AND toFixedString(unhex({last:String}), 20))
      )
  ),
  by_token AS (
    SELECT l.account AS account, l.token AS token, arrayFilter(c -> c.2 > since, l.closings) AS recent, arrayFilter(c -> c.4 > 0 AND c.5 >= 0, recent) AS known,
      arraySum(known.6) AS average, arraySum(known.7) AS fifo,
      2 * toFloat64(least(l.bought, l.sold)) / toFloat64(l.bought + l.sold) >= {wash_churn:Float64} AND least(l.buys, l.sells) >= {wash_trips:UInt32} AND l.volume_usd >= {wash_min_usd:Float64}
        AND abs(arraySum(l.closings.6)) <= {wash_result_share:Float64} * l.volume_usd AS wash
    FROM wallet_ledgers(upto = {as_of:UInt64}) AS l
    WHERE l.chain = {chain:String} AND l.account IN (SELECT account FROM busy) AND l.folded
      AND l.token NOT IN (SELECT t.token FROM token_traits AS t WHERE t.chain = {chain:String} AND t.trait = 'rebasing')
  )
SELECT {chain:String}, {rule:String}, {rule_version:UInt16}, {as_of:UInt64}, {days:UInt16}, s.account, s.realised, s.by_fifo, b.gas, s.realised - b.gas, b.volume, b.txs, s.closed_lots, s.won, s.traded, s.best.1, s.best.2, s.unknown, s.hours, b.unpriced
FROM (
  SELECT account, arraySum(arraySort(groupArray(average))) AS realised, arraySum(arraySort(groupArray(fifo))) AS by_fifo, sum(length(known)) AS closed_lots, sum(arrayCount(c -> c.6 > 0, known)) AS won,
    countIf(notEmpty(known)) AS traded, argMax((token, average), (average, token)) AS best,
    1 - arraySum(arraySort(groupArrayArray(arrayMap(c -> toFloat64(c.4) / toFloat64(c.3), known)))) / sum(length(recent)) AS unknown,
    arraySum(arraySort(groupArrayArray(arrayMap(c -> c.8 / toFloat64(c.4) / 3600, known)))) / greatest(closed_lots, 1) AS hours
  FROM by_token WHERE NOT wash AND notEmpty(recent)
  GROUP BY account
  HAVING closed_lots >= {min_closed:UInt32} AND traded >= {min_tokens:UInt32} AND unknown <= {max_unknown_share:Float64}
) AS s
INNER JOIN busy AS b ON b.account = s.account
ORDER BY s.account
SETTINGS enable_materialized_cte = 1
