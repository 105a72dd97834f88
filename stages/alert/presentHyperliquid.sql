-- What a batch of the venue may speak of, so that rules with nothing to say are not run. Grain: one row; each column counts. Parameters: chain, from, to. Sort key: hl_read_fills (chain, block_number, …).
-- forced: fills that the venue called so. opened: fills from flat of at least the threshold. A column may count too much, never too little.
SELECT countIf(liquidation_method != '' OR startsWith(dir, 'Liquidated') OR dir = 'Auto-Deleveraging') AS forced,
  countIf(start_position = 0 AND market = 'perp' AND toFloat64(px) * toFloat64(sz) >= (SELECT argMax(threshold, version) FROM alert_thresholds WHERE chain = {chain:String} AND rule = 'copy_trade')) AS opened
FROM hl_read_fills WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
