-- How far wanted heights have come. Grain: one stage. Parameters: chain, heights (the wanted ones).
-- Sort key of batches: (chain, from_block, stage, generation).
SELECT stage, toUInt32(length(arrayDistinct(arrayFlatten(groupArray(arrayFilter(height -> height BETWEEN from_block AND to_block, {heights:Array(UInt64)})))))) AS blocks
FROM batches WHERE chain = {chain:String} GROUP BY stage
