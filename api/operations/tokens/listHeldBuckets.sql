-- Which spans of time are in the store, and whether each is there without a hole and worked out. Grain: one span of `width` seconds with a block in it.
-- whole: none of its heights is of a stretch that is open, and no height is missing in it, nor between it and the spans before and after (so heights reach a block beyond what is asked about).
-- Parameters: chain, first, newest (heights), width (seconds), open_from and open_to (lowest and highest height of each stretch that enrich has not passed). Sort key: blocks (chain, block_number), by both heights.
SELECT toFloat64(bucket) AS bucket, toFloat64(low) AS low, low = before + 1 AND blocks = high - low + 1 AND after = high + 1 AND NOT arrayExists((lowest, highest) -> lowest <= high AND highest >= low, {open_from:Array(UInt64)}, {open_to:Array(UInt64)}) AS whole
FROM (
  SELECT bucket, low, high, blocks, lagInFrame(high) OVER times AS before, leadInFrame(low) OVER times AS after
  FROM (
    SELECT intDiv(toUnixTimestamp(block_time), {width:UInt32}) AS bucket, min(block_number) AS low, max(block_number) AS high, uniqExact(block_number) AS blocks
    FROM blocks WHERE chain = {chain:String} AND block_number BETWEEN {first:UInt64} AND {newest:UInt64}
    GROUP BY bucket
  )
  WINDOW times AS (ORDER BY bucket ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
)
ORDER BY bucket
