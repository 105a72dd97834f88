-- Tokens that moved in a batch and that no list and no node has described yet. Grain: one token. Parameters: chain, from, to.
-- Sort key of movements: (chain, block_number, …).
SELECT DISTINCT concat('0x', lower(hex(token))) AS address FROM movements
WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND kind = 'erc20'
  AND NOT dictHas('token_of', ({chain:String}, concat('0x', lower(hex(token)))))
ORDER BY address
