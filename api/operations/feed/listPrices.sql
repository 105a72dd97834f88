-- The newest price of each of some tokens at or below a height. Grain: one token. Parameters: chain, tokens (hex with 0x), lowest, newest.
-- Sort key: prices (chain, token, block_number).
SELECT concat('0x', lower(hex(p.token))) AS token, argMax(p.usd, p.block_number) AS usd, argMax(p.method, p.block_number) AS method
FROM prices AS p
WHERE p.chain = {chain:String} AND p.token IN (SELECT toFixedString(unhex(substring(arrayJoin({tokens:Array(String)}), 3)), 20)) AND p.block_number BETWEEN {lowest:UInt64} AND {newest:UInt64}
GROUP BY p.token
