-- Hash of the block a batch must stand on: the tip of the live batch right below. Grain: at most one row. Parameters: chain, from.
SELECT hash FROM live_batches WHERE chain = {chain:String} AND to_block = {from:UInt64} - 1
