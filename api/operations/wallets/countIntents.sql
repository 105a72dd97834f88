-- What those of some transactions were for that one address sent, the most frequent first. Grain: one purpose. Parameters: chain, address (hex without 0x), blocks and hashes (hex without 0x) of them.
-- value_usd: the largest movement of each, where it has a price. Sort key: those of transaction_intents.
SELECT i.verdict.1 AS intent, toFloat64(count()) AS transactions, if(count(i.usd) = 0, NULL, toNullable(arraySum(arraySort(groupArray(i.usd))))) AS value_usd, min(i.block_time) AS first_seen, max(i.block_time) AS last_seen
FROM transaction_intents(chain = {chain:String}, blocks = {blocks:Array(UInt64)}, hashes = {hashes:Array(String)}) AS i
WHERE i.sender = toFixedString(unhex({address:String}), 20)
GROUP BY intent
ORDER BY transactions DESC, intent
