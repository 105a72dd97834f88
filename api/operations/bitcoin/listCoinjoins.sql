-- Transactions that detectors take for CoinJoins, newest first, strictly below a place. Grain: one transaction.
-- Parameters: detector ('': any), block and index (the place), newest (height), limit. Sort key: btc_coinjoins (chain, block_number, tx_index), read in reverse.
SELECT concat('0x', lower(hex(c.txid))) AS tx_hash, toFloat64(c.block_number) AS block_number, c.tx_index AS tx_index, c.block_time AS timestamp, toString(c.detector) AS detector, c.detector_version AS detector_version,
  c.confidence AS confidence, arrayMap(one -> toString(one), c.others) AS others, c.input_count AS inputs, c.output_count AS outputs, c.unresolved_inputs AS inputs_unresolved, toString(c.output_value) AS output_sats,
  arrayMap((value, many) -> (toString(value), many, least(many, c.input_count)), c.values, c.counts) AS denominations
FROM btc_coinjoins AS c
WHERE c.chain = 'BTC' AND c.block_number <= {newest:UInt64} AND (c.block_number, c.tx_index) < ({block:UInt64}, {index:UInt32}) AND ({detector:String} = '' OR c.detector = {detector:String})
ORDER BY c.chain DESC, c.block_number DESC, c.tx_index DESC LIMIT {limit:UInt32}
