-- Transactions of Bitcoin below a sort position, newest first: what they paid to others than the sender, null while an input is unresolved, with the labels of both sides as known now.
-- Who sends what comes out of a CoinJoin of confidence 50 and more is not known. An address is null where nobody, or nobody known, is on that side: mined coins have no sender, and what all stays with the sender no receiver. Amounts are null, too, of a transaction whose flow has not landed yet. None is above the highest block that enrich has come to.
-- Grain: one transaction. Parameters: chain, block and index (the position; block <= block repeats the tuple's bound for the key), limit.
-- Sort keys: btc_transactions (chain, block_number, tx_index), read in reverse; btc_flows and btc_coinjoins (chain, block_number, …) by the page's heights; btc_blocks (chain, block_number).
WITH
  page AS (
    SELECT t.block_number AS block_number, t.tx_index AS tx_index, t.txid AS txid, t.block_time AS block_time FROM btc_transactions AS t
    WHERE t.chain = {chain:String} AND t.block_number <= {block:UInt64} AND t.block_number <= (SELECT maxOrNull(b.block_number) FROM btc_blocks AS b WHERE b.chain = {chain:String}) AND (t.block_number, t.tx_index) < ({block:UInt64}, {index:UInt32})
    ORDER BY t.chain DESC, t.block_number DESC, t.tx_index DESC LIMIT {limit:UInt32}
  ),
  (SELECT (min(block_number), max(block_number)) FROM page) AS span
SELECT concat('0x', lower(hex(p.txid))) AS hash, toFloat64(p.block_number) AS block_number, p.tx_index AS tx_index, p.block_time AS timestamp,
  if(f.from_address = toFixedString('', 20), NULL, concat('0x', lower(hex(f.from_address)))) AS from_address, if(f.to_address = toFixedString('', 20), NULL, concat('0x', lower(hex(f.to_address)))) AS to_address, NULL AS contract_address,
  dictGet('label_of', 'label', ({chain:String}, concat('0x', lower(hex(f.from_address))))) AS from_label, dictGet('label_of', 'label', ({chain:String}, concat('0x', lower(hex(f.to_address))))) AS to_label,
  if(f.flow IN ('', 'unknown'), NULL, toNullable(toString(f.net))) AS value, multiIf(f.flow = 'unknown', NULL, f.flow != '' AND f.net = 0, toNullable(0.), f.value_usd) AS value_usd, NULL AS tx_type, NULL AS selector, NULL AS gas_used, NULL AS gas_price, toString(f.fee) AS fee, 'success' AS status
FROM page AS p
LEFT JOIN (
  SELECT block_number, tx_index, flow, net, value_usd, fee, to_address,
    if((block_number, tx_index) IN (SELECT c.block_number, c.tx_index FROM btc_coinjoins AS c WHERE c.chain = {chain:String} AND c.block_number BETWEEN span.1 AND span.2 AND c.confidence >= 50), toFixedString('', 20), from_address) AS from_address
  FROM btc_flows WHERE chain = {chain:String} AND block_number BETWEEN span.1 AND span.2
) AS f ON f.block_number = p.block_number AND f.tx_index = p.tx_index
ORDER BY p.block_number DESC, p.tx_index DESC
