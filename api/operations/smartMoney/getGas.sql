-- What one address traded and paid for gas after a time. Grain: one row. Parameters: chain, address (hex without 0x), since (Unix seconds), upto (height).
-- A transaction's gas is on the first of its rows; gas_usd counts what could be priced. Sort key: wallet_trades (chain, account, …).
SELECT toFloat64(uniqExact(w.tx_hash)) AS trades, toString(sum(w.gas_wei)) AS gas_wei, sum(ifNull(w.gas_usd, 0)) AS gas_usd, toFloat64(countIf(w.gas_wei > 0 AND isNull(w.gas_usd))) AS gas_unpriced,
  toFloat64(count()) AS sides
FROM wallet_trades AS w
WHERE w.chain = {chain:String} AND w.account = toFixedString(unhex({address:String}), 20) AND w.block_number <= {upto:UInt64} AND toUnixTimestamp(w.block_time) > {since:Int64}
