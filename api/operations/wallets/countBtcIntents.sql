-- What those of some transactions of Bitcoin were for that one address paid in, the most frequent first. Grain: one purpose. Parameters: chain, address (hex), blocks and hashes (hex) of them.
-- value_usd: what each paid to others, where it has a price. Sort key: those of btc_transaction_intents.
SELECT i.verdict.1 AS intent, toFloat64(count()) AS transactions, if(count(i.usd) = 0, NULL, toNullable(arraySum(arraySort(groupArray(i.usd))))) AS value_usd, min(i.block_time) AS first_seen, max(i.block_time) AS last_seen
FROM btc_transaction_intents(chain = {chain:String}, blocks = {blocks:Array(UInt64)}, hashes = {hashes:Array(String)}) AS i
WHERE has(i.senders, toFixedString(unhex({address:String}), 20))
GROUP BY intent
ORDER BY transactions DESC, intent
