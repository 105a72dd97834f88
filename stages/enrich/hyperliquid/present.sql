-- What a batch read that must not stand twice, so that statements with nothing to write are not run. Grain: one row; each column counts.
-- Parameters: chain, from, to. Sort keys (chain, block_number). A trade is also read off the two fills of one trade id.
SELECT (SELECT count() FROM hl_read_trades WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}) + fills AS trades, fills, forced,
  (SELECT count() FROM hl_read_funding_payments WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}) AS payments,
  (SELECT count() FROM hl_read_funding_rates WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}) AS rates,
  (SELECT count() FROM hl_read_ledger_updates WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}) AS updates
FROM (
  SELECT count() AS fills, countIf(liquidation_method != '' OR startsWith(dir, 'Liquidated') OR dir = 'Auto-Deleveraging') AS forced FROM hl_read_fills
  WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
)
