-- Those of some tokens that are the chain's coin or on a list: one that is not listed says what it likes of anybody. Grain: one token. Parameters: chain, tokens (hex without 0x). token_of is in memory.
SELECT concat('0x', t.token) AS token FROM (SELECT arrayJoin({tokens:Array(String)}) AS token) AS t
WHERE t.token = repeat('0', 40) OR dictGet('token_of', 'listed', ({chain:String}, concat('0x', t.token)))
