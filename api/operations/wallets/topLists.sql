-- What the lists of a span's segments say of addresses that are on none of them. Grain: one row. Parameters: chain, first, newest, segmentBlocks, cut (topCut.sql: segments without a list).
-- most: what such an address may have moved in all of them, millionths of a dollar; segments: whose lists left somebody out; stamp: which lists in which version this is of, 0 where there are none. Sort key: top_segments (chain, segment).
SELECT toString(sum(t.bound)) AS most, groupArrayIf(toFloat64(t.segment), t.more) AS segments, toString(sum(cityHash64(t.segment, t.version))) AS stamp
FROM top_segments AS t FINAL
WHERE t.chain = {chain:String} AND t.segment BETWEEN intDiv({first:UInt64}, {segmentBlocks:UInt64}) AND intDiv({newest:UInt64}, {segmentBlocks:UInt64}) AND t.segment NOT IN {cut:Array(UInt64)}
