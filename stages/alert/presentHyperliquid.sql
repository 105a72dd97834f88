-- What a batch of the venue may speak of, so that rules with nothing to say are not run. Grain: one row; each column counts. Parameters: chain, from, to. Sort key: hl_read_fills (chain, block_number, …).
-- forced: fills that the venue called so. opened: fills of perps that begin a position or go on with one, since an order's pieces may be of any size. A column may count too much, never too little.
SELECT countIf(liquidation_method != '' OR startsWith(dir, 'Liquidated') OR dir = 'Auto-Deleveraging') AS forced,
  countIf(market = 'perp' AND if(side = 'buy', start_position >= 0, start_position <= 0)) AS opened
FROM hl_read_fills WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
