-- Legs of finds. Grain: one leg. Parameters: chain, blocks (heights), ids (hex of finds). Sort key: mev_legs (chain, block_number, mev_id, position, sub).
SELECT concat('0x', lower(hex(l.mev_id))) AS id, toString(l.role) AS role, own, concat('0x', lower(hex(l.tx_hash))) AS tx_hash, tx_index, position AS log_index, protocol,
  concat('0x', lower(if(startsWith(hex(l.pool), repeat('0', 24)), substring(hex(l.pool), 25), hex(l.pool)))) AS pool, concat('0x', lower(hex(l.account))) AS account,
  if(l.token_in_known, concat('0x', lower(hex(l.token_in))), NULL) AS token_in, toString(l.amount_in) AS amount_in, if(l.token_out_known, concat('0x', lower(hex(l.token_out))), NULL) AS token_out,
  toString(l.amount_out) AS amount_out, toString(l.loss) AS loss, loss_reason
FROM mev_legs AS l
WHERE l.chain = {chain:String} AND l.block_number IN {blocks:Array(UInt64)} AND l.mev_id IN (SELECT toFixedString(unhex(arrayJoin({ids:Array(String)})), 32))
ORDER BY l.block_number, l.mev_id, l.position, l.sub
