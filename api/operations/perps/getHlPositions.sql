-- The largest positions of the newest observation of each account. Grain: one position. Parameters: address ('' all accounts), top_n.
-- Accounts that are followed are asked about every minute. Among all accounts one that was not seen for a day before the newest observation of any says nothing of today and is left out; of one account
-- what was seen last is told, however old. observed_at says when.
-- Sort keys: hl_newest_positions and hl_newest_accounts (chain, account, dex): one row each, read whole without an address; hl_positions, hl_accounts, hl_contexts of the ones
-- picked. Prices are the venue's at that moment. What follows the venue's formulas is exact and cut where the venue cuts: maintenance margin to millionths.
-- return_on_equity = unrealised · leverage / (entry · size). formula_liquidation_price = price - side · available / size / (1 - l · side), l = 1 / (2 · most leverage); available: of an
-- isolated position its margin less maintenance, else what the account is worth less all its maintenance. Most leverage is that of small positions (first margin tier).
-- hour_funding_usd = -size · oracle price · rate of an hour, as the coin's context said last within the hour.
WITH
  (SELECT least(max(time), now64(3, 'UTC')) FROM hl_newest_accounts WHERE chain = 'HL') AS seen,
  (SELECT groupArray(201)((account, dex, coin, time, szi, entry_px, position_value, unrealized_pnl, liquidation_px, margin_used, leverage_kind, leverage)) FROM (
    SELECT p.account AS account, p.dex AS dex, p.coin AS coin, p.time AS time, p.szi AS szi, p.entry_px AS entry_px, p.position_value AS position_value, p.unrealized_pnl AS unrealized_pnl, p.liquidation_px AS liquidation_px, p.margin_used AS margin_used, p.leverage_kind AS leverage_kind, p.leverage AS leverage
    FROM hl_newest_positions AS p FINAL
    INNER JOIN (SELECT account, dex, time FROM hl_newest_accounts FINAL WHERE chain = 'HL' AND ({address:String} != '' OR time > seen - INTERVAL 1 DAY) AND ({address:String} = '' OR account = toFixedString(unhex(substring({address:String}, 3)), 20))) AS a ON a.account = p.account AND a.dex = p.dex AND a.time = p.time
    WHERE p.chain = 'HL' AND p.szi != 0 AND p.position_value > 0 AND p.leverage_kind IN ('cross', 'isolated') AND ({address:String} = '' OR p.account = toFixedString(unhex(substring({address:String}, 3)), 20))
    ORDER BY p.position_value DESC, p.account, p.coin LIMIT {top_n:UInt32}
  )) AS found,
  picked AS (
    SELECT k.1 AS account, k.2 AS dex, k.3 AS coin, k.4 AS time, k.5 AS szi, k.6 AS entry_px, k.7 AS position_value, k.8 AS unrealized_pnl, k.9 AS liquidation_px, k.10 AS margin_used, k.11 AS leverage_kind, k.12 AS leverage
    FROM (SELECT arrayJoin(assumeNotNull(found)) AS k)
  ),
  lent AS (SELECT q.account AS account, q.coin AS coin, q.time AS time, max(q.max_leverage) AS most FROM hl_positions AS q WHERE q.chain = 'HL' AND (q.account, q.coin, q.time) IN (SELECT account, coin, time FROM picked) GROUP BY q.account, q.coin, q.time),
  margins AS (
    SELECT m.account AS account, m.dex AS dex, m.time AS time, any(m.cross_account_value) AS worth, any(m.maintenance_margin) AS maintenance FROM hl_accounts AS m
    WHERE m.chain = 'HL' AND (m.account, m.dex, m.time) IN (SELECT account, dex, time FROM picked) GROUP BY m.account, m.dex, m.time
  ),
  rates AS (
    SELECT x.coin AS coin, argMax((x.rate, x.oracle_px), x.time) AS said FROM hl_contexts AS x
    WHERE x.chain = 'HL' AND x.coin IN (SELECT coin FROM picked) AND x.dex IN (SELECT dex FROM picked) AND x.time > now64(3, 'UTC') - INTERVAL 1 HOUR AND x.rate IS NOT NULL AND x.oracle_px IS NOT NULL GROUP BY x.coin
  )
SELECT concat('0x', lower(hex(p.account))) AS address, toString(p.coin) AS coin, if(p.szi > 0, 'long', 'short') AS side, toString(p.szi) AS size, toFloat64(toString(p.entry_px)) AS entry_price, value_usd / abs(toFloat64(toString(p.szi))) AS mark_price, toFloat64(toString(p.position_value)) AS value_usd,
  toFloat64(toString(p.unrealized_pnl)) AS unrealised_pnl_usd, toFloat64(p.leverage) AS leverage, toString(p.leverage_kind) AS margin, toFloat64(toString(p.margin_used)) AS margin_used_usd, toFloat64(toString(p.liquidation_px)) AS liquidation_price, abs(mark_price - liquidation_price) / mark_price AS liquidation_distance,
  if(p.entry_px > 0, toNullable(toFloat64(toString(round(divideDecimal(toDecimal256(p.unrealized_pnl, 18) * p.leverage, multiplyDecimal(toDecimal256(assumeNotNull(p.entry_px), 18), toDecimal256(abs(p.szi), 18), 36), 12), 8)))), NULL) AS return_on_equity,
  if(p.szi > 0, 1, -1) AS sense, 2 * toInt32(ifNull(l.most, 0)) AS twice, toDecimal256(p.position_value, 18) AS worth_usd,
  if(p.leverage_kind = 'isolated', toNullable(toDecimal256(p.margin_used, 18) - toDecimal256(divideDecimal(worth_usd, toDecimal256(greatest(twice, 1), 0), 6), 18)), toDecimal256(m.worth, 18) - toDecimal256(m.maintenance, 18)) AS available,
  if(twice = 0 OR available IS NULL, NULL, round(divideDecimal(worth_usd * (twice - sense) - assumeNotNull(available) * (sense * twice), toDecimal256(abs(p.szi), 18) * (twice - sense), 12), 8)) AS forced_at,
  if(forced_at > 0, toFloat64(toString(forced_at)), NULL) AS formula_liquidation_price,
  if(r.coin = '', NULL, toNullable(toFloat64(toString(-round(multiplyDecimal(multiplyDecimal(toDecimal256(p.szi, 18), toDecimal256(assumeNotNull(r.said.2), 18), 36), toDecimal256(assumeNotNull(r.said.1), 18), 36), 6))))) AS hour_funding_usd, p.time AS observed_at
FROM picked AS p LEFT ANY JOIN lent AS l ON l.account = p.account AND l.coin = p.coin AND l.time = p.time LEFT ANY JOIN margins AS m ON m.account = p.account AND m.dex = p.dex AND m.time = p.time LEFT ANY JOIN rates AS r ON r.coin = p.coin
ORDER BY p.position_value DESC, p.account, p.coin
