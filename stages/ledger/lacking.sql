-- Stretches that are wanted and that no node has: dead letters of ingest without a block. Grain: one stretch. Parameters: chain.
SELECT from_block, to_block FROM dead_letters FINAL WHERE chain = {chain:String} AND stage = 'ingest' AND state = 'dead' AND hash = ''
