-- Finds of extracted value, newest block first, below a sort position. Grain: one find. Parameters: chain, kind, searcher, pool (hex; '' any),
-- from and to (heights, inclusive), event (hex of a find or a transaction; '' any), block and id (the position), limit.
-- Sort key: mev (chain, block_number, mev_id), read in reverse; tx_hashes and searcher have Bloom filters. A pool of 20 bytes lies left-padded.
SELECT concat('0x', lower(hex(m.mev_id))) AS id, toString(m.kind) AS kind, rule, rule_version, grade AS confidence, toFloat64(m.block_number) AS block_number, concat('0x', lower(hex(block_hash))) AS block_hash,
  block_time AS timestamp, concat('0x', lower(hex(m.searcher))) AS searcher, concat('0x', lower(hex(account))) AS account, arrayMap(t -> concat('0x', lower(hex(t))), m.tx_hashes) AS transactions,
  arrayMap(p -> concat('0x', lower(if(startsWith(hex(p), repeat('0', 24)), substring(hex(p), 25), hex(p)))), m.pools) AS pools, protocols, legs, victims, losses_known, victim_loss_usd,
  arrayMap(n -> map('token', concat('0x', lower(hex(n.1))), 'amount', toString(n.2)), m.nets) AS nets, if(isNull(m.profit_token), NULL, concat('0x', lower(hex(assumeNotNull(m.profit_token))))) AS profit_token,
  toString(m.profit_amount) AS profit_amount, gross_usd, toString(m.gas_cost) AS gas_cost, toString(m.builder_payment) AS builder_payment, gas_usd, builder_usd, net_usd, internal_complete
FROM mev AS m
WHERE m.chain = {chain:String} AND m.block_number BETWEEN {from:UInt64} AND least({to:UInt64}, {block:UInt64}) AND (m.block_number, m.mev_id) < ({block:UInt64}, toFixedString(unhex({id:String}), 32))
  AND ({kind:String} = '' OR toString(m.kind) = {kind:String}) AND ({searcher:String} = '' OR m.searcher = toFixedString(unhex({searcher:String}), 20))
  AND ({pool:String} = '' OR has(m.pools, toFixedString(unhex(leftPad({pool:String}, 64, '0')), 32)))
  AND ({event:String} = '' OR m.mev_id = toFixedString(unhex({event:String}), 32) OR has(m.tx_hashes, toFixedString(unhex({event:String}), 32)))
ORDER BY m.chain DESC, m.block_number DESC, m.mev_id DESC
LIMIT {limit:UInt32}
