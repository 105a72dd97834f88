-- Addresses that belong together by what transactions of a range of blocks show, in the order of the chain: those whose inputs one
-- transaction spends (part 0; neither a coinbase nor what may be a CoinJoin). Inputs that are unresolved, or pay to no address, say nothing.
-- Nor do those that anybody may spend: an anchor (pay to anchor: it is there for whoever raises the fee), and a witness program that no rule reads yet (witness_unknown),
-- which blocks let everybody spend until a rule comes; who had the rule's key all along has it under the name that rule gives its scripts.
-- Of a height only the rows of the block that stands are read: a late writer may have left some of one that is orphaned, until the audit sweeps them.
-- Grain: one transaction with two and more addresses. Parameters: chain, from, to. Sort keys: btc_inputs and btc_coinjoins (chain, block_number, tx_index, …), btc_blocks (chain, block_number).
WITH standing AS (SELECT block_number, max(generation) AS generation FROM btc_blocks WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} GROUP BY block_number)
SELECT toUInt32(block_number), tx_index, toUInt32(0) AS part, txid, groupUniqArray(i.party_id) AS ids
FROM btc_inputs AS i
WHERE i.chain = {chain:String} AND i.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND (i.block_number, i.generation) IN standing AND i.party_id != toFixedString('', 20) AND i.script_id = '' AND i.script_type NOT IN ('anchor', 'witness_unknown')
  AND (i.block_number, i.tx_index) NOT IN (SELECT block_number, tx_index FROM btc_coinjoins WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND (block_number, generation) IN standing)
GROUP BY block_number, tx_index, txid HAVING length(ids) > 1
ORDER BY block_number, tx_index
FORMAT RowBinary
