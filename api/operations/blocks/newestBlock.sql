-- Height of the newest block stored. Grain: one row, none for an empty chain. Parameters: chain. Reads blocks' sort key (chain, block_number) from its end.
SELECT toFloat64(block_number) AS number FROM blocks WHERE chain = {chain:String} ORDER BY chain DESC, block_number DESC LIMIT 1
