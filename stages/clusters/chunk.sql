-- The next blocks to do, up from `above`, as many as hold about `inputs` inputs (one at least). Grain: one block: of a height
-- the one that stands, though a late writer left another there.
-- Parameters: chain, above (-1: from the first), ceiling, inputs. Sort key: btc_blocks (chain, block_number).
SELECT toFloat64(block_number) AS number, lower(hex(block_hash)) AS hash FROM (
  SELECT block_number, block_hash, input_count, sum(input_count) OVER (ORDER BY block_number) AS running FROM (
    SELECT block_number, argMax(b.block_hash, b.generation) AS block_hash, argMax(b.input_count, b.generation) AS input_count FROM btc_blocks AS b
    WHERE b.chain = {chain:String} AND toInt64(b.block_number) > {above:Int64} AND toInt64(b.block_number) <= {ceiling:Int64}
    GROUP BY block_number ORDER BY block_number LIMIT 20000
  )
) WHERE running - input_count < {inputs:UInt64} ORDER BY block_number
