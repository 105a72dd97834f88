-- How many rows each table that answers rest on has, as stored. Grain: one table. Parameters: none. Sort key: none used: the counts are those that parts carry.
SELECT table, toFloat64(counted) AS rows FROM (
  SELECT 'blocks' AS table, count() AS counted FROM blocks
  UNION ALL SELECT 'transactions', count() FROM transactions
  UNION ALL SELECT 'transfers', count() FROM transfers
  UNION ALL SELECT 'swaps', count() FROM swaps
  UNION ALL SELECT 'prices', count() FROM prices
  UNION ALL SELECT 'btc_outputs', count() FROM btc_outputs
  UNION ALL SELECT 'btc_inputs', count() FROM btc_inputs
  UNION ALL SELECT 'labels', count() FROM labels
  UNION ALL SELECT 'designations', count() FROM designations
  UNION ALL SELECT 'register_loads', count() FROM register_loads
  UNION ALL SELECT 'sanctions_loads', count() FROM sanctions_loads
)
ORDER BY table
