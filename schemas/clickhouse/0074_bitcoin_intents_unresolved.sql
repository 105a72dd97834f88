-- While an input is not known an output may be its change: a transaction is no payment and no payout by outputs that may have gone back to who paid. What each rule says stands in 0023_bitcoin_intents.sql.
CREATE OR REPLACE VIEW btc_transaction_intents AS
WITH page AS (
  SELECT * FROM btc_transactions AS t
  WHERE t.chain = {chain:String} AND t.block_number IN {blocks:Array(UInt64)} AND has({hashes:Array(String)}, lower(hex(t.txid)))
)
SELECT p.txid AS hash, p.block_number AS block_number, p.tx_index AS tx_index, p.block_time AS block_time, f.sender AS sender, f.receiver AS receiver, i.senders AS senders, f.usd AS usd,
  arrayFilter(o -> o.4 = '' AND NOT has(i.senders, o.3), s.outs) AS others, arrayCount(o -> o.4 = '', s.outs) AS spendable, arrayMax(arrayMap(o -> o.2, others)) AS largest, arrayFirst(o -> o.4 != '', s.outs).4 AS said,
  multiIf(
    p.coinbase, ('coinbase', 'the first of its block, which pays the miner'),
    j.confidence >= 50, ('coinjoin', concat('detector ', j.detector)),
    f.mixed, ('mixer', 'value moved to or from a mixer'),
    startsWith(said, concat('omni', unhex('00000000'))), ('token_transfer', 'an OP_RETURN says a simple send of Omni'),
    said != '' AND largest <= 2730, ('data', 'an OP_RETURN, and no more than dust for others'),
    p.input_count >= 5 AND spendable = 1, ('consolidation', 'five inputs or more into one output'),
    empty(others) AND p.input_count > spendable AND p.unresolved_inputs = 0, ('consolidation', 'fewer outputs than inputs, all back to who paid'),
    empty(others), ('internal', 'every output goes back to who paid'),
    p.unresolved_inputs > 0, ('other', 'an input is not known, so what is change is not'),
    length(others) >= 5, ('batch_payout', 'five outputs or more to others'),
    largest > 2730, ('payment', 'up to four outputs to others'),
    ('other', 'no rule fits')) AS verdict
FROM page AS p
LEFT JOIN (
  SELECT block_number, tx_index, arraySort(groupArray((o.vout, o.value, if(o.party = '', toFixedString('', 20), toFixedString(substring(SHA256(o.party), 1, 20), 20)), if(o.script_type = 'nulldata', if(o.data = '', ' ', o.data), '')))) AS outs
  FROM btc_outputs AS o WHERE o.chain = {chain:String} AND (o.block_number, o.tx_index) IN (SELECT page.block_number, page.tx_index FROM page)
  GROUP BY block_number, tx_index
) AS s ON s.block_number = p.block_number AND s.tx_index = p.tx_index
LEFT JOIN (
  SELECT block_number, tx_index, groupUniqArrayIf(toFixedString(substring(SHA256(v.party), 1, 20), 20), v.party != '') AS senders
  FROM btc_inputs AS v WHERE v.chain = {chain:String} AND (v.block_number, v.tx_index) IN (SELECT page.block_number, page.tx_index FROM page)
  GROUP BY block_number, tx_index
) AS i ON i.block_number = p.block_number AND i.tx_index = p.tx_index
LEFT JOIN (
  SELECT block_number, tx_index, from_address AS sender, to_address AS receiver, if(flow = 'unknown', NULL, value_usd) AS usd, from_class = 'mixer' OR to_class = 'mixer' OR arrayExists(one -> one.2 = 'mixer', named) AS mixed
  FROM btc_flows WHERE chain = {chain:String} AND block_number IN {blocks:Array(UInt64)}
) AS f ON f.block_number = p.block_number AND f.tx_index = p.tx_index
LEFT JOIN (
  SELECT block_number, tx_index, argMax(c.detector, c.confidence) AS detector, max(c.confidence) AS confidence FROM btc_coinjoins AS c WHERE c.chain = {chain:String} AND c.block_number IN {blocks:Array(UInt64)} GROUP BY block_number, tx_index
) AS j ON j.block_number = p.block_number AND j.tx_index = p.tx_index;
