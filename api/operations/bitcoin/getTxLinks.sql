-- Signs that an output of a transaction is change, each with the one output it leaves. Grain: one sign, beside the output. Parameters: txid (hex).
-- The first six are those of btc_change_links; the rest compare the transaction with those that spend its outputs, as far as they are known now: an output is
-- ruled out where its spender is unlike it, one that is unspent never is, and the one that is left must be spent. locktime: both set it or neither does. fixed_fee: one fee, or one rate in whole satoshis per virtual byte.
-- peeling_chain: one input and two outputs, again. What may be a CoinJoin has no sign. What anybody may spend (anchor, witness_unknown) is nobody's: it neither pays nor is change. What needs inputs that are unresolved does not speak.
-- A script without an address (a bare key, a bare multisig) may be change as well, so each has to rule it out like any other: where it is the one that is left, address is null. What nobody can spend (OP_RETURN, a script longer than any that is run) is left out.
-- Of a block that enrich has not come to nothing is said. Sort keys: btc_txids, btc_spends (chain, prefix, …), btc_blocks (chain, block_number), btc_transactions, btc_outputs, btc_inputs (chain, block_number, tx_index, …), address_transfers (chain, address, …).
WITH
  toFixedString(unhex({txid:String}), 32) AS wanted,
  place AS (SELECT x.block_number AS block_number, x.tx_index AS tx_index FROM btc_txids AS x WHERE x.chain = 'BTC' AND x.prefix = reinterpretAsUInt64(toFixedString(unhex({txid:String}), 32))),
  paid AS (
    SELECT o.block_number AS block_number, o.tx_index AS tx_index, o.vout AS vout, o.value AS value, o.script_type AS script_type, o.party_id AS id, o.address != '' AS addressed
    FROM btc_outputs AS o WHERE o.chain = 'BTC' AND (o.block_number, o.tx_index) IN (SELECT block_number, tx_index FROM place) AND o.txid = toFixedString(unhex({txid:String}), 32) AND o.script_type NOT IN ('nulldata', 'anchor', 'witness_unknown')
      AND NOT (o.script_type = 'nonstandard' AND (startsWith(o.script, '\x6a') OR length(o.script) > 10000))
  ),
  spends AS (
    SELECT i.prev_vout AS vout, i.block_number AS block_number, i.tx_index AS tx_index FROM btc_inputs AS i
    WHERE i.chain = 'BTC' AND i.prev_txid = toFixedString(unhex({txid:String}), 32)
      AND (i.block_number, i.tx_index) IN (SELECT s.block_number, s.tx_index FROM btc_spends AS s WHERE s.chain = 'BTC' AND s.prefix = reinterpretAsUInt64(toFixedString(unhex({txid:String}), 32)))
  )
SELECT sign.1 AS name, toUInt8(4) AS version, sign.2 AS confidence, sign.4 AS vout, concat('0x', lower(hex(sender))) AS from_address, arrayFirst(out -> out.1 = sign.4, outs).3 AS address, arrayFirst(out -> out.1 = sign.4, outs).2 AS value_sats
FROM (
  SELECT any(first_sender) AS sender, groupArray((vout, toString(value), if(addressed, toNullable(concat('0x', lower(hex(id)))), NULL))) AS outs,
    arrayFilter(s -> s.3 = 1, [
      ('optimal_change', 60, countIf(below AND inputs > 1), anyIf(vout, below AND inputs > 1)), ('client_change', 60, countIf(unseen), anyIf(vout, unseen)), ('legacy', 60, countIf(below AND unseen), anyIf(vout, below AND unseen)),
      ('address_type', 60, countIf(alike), anyIf(vout, alike)), ('address_reuse', 80, countIf(back), anyIf(vout, back)), ('power_of_ten', 50, countIf(odd), anyIf(vout, odd)),
      ('locktime', 40, if(countIf(timed) = 1, countIf(timed AND spent), 0), anyIf(vout, timed)), ('fixed_fee', 40, if(countIf(priced) = 1, countIf(priced AND spent), 0), anyIf(vout, priced)),
      ('peeling_chain', 50, if(countIf(peels) = 1, countIf(peels AND spent AND shaped), 0), anyIf(vout, peels))]) AS spoken
  FROM (
    SELECT p.vout AS vout, p.value AS value, p.id AS id, p.addressed AS addressed, s.senders[1] AS first_sender, s.inputs AS inputs, ifNull(p.value < s.least, false) AS below, p.script_type = s.type AS alike, has(s.payers, p.id) AS back,
      p.id = toFixedString('', 20) OR (f.first = p.block_number * 4294967296 + p.tx_index AND NOT back) AS unseen, p.value % 1000000 != 0 AS odd, t.input_count = 1 AND t.output_count = 2 AS shaped, n.found AS spent,
      NOT n.found OR (n.locktime > 0) = (t.locktime > 0) AS timed, NOT n.found OR ifNull(n.fee = t.fee, true) OR ifNull(intDiv(n.fee * 4, n.weight) = intDiv(t.fee * 4, t.weight), true) AS priced,
      NOT n.found OR (n.input_count = 1 AND n.output_count = 2) AS peels
    FROM paid AS p
    INNER JOIN (SELECT * FROM btc_transactions WHERE chain = 'BTC' AND (block_number, tx_index) IN (SELECT block_number, tx_index FROM place) AND txid = toFixedString(unhex({txid:String}), 32) AND NOT coinbase
      AND block_number IN (SELECT b.block_number FROM btc_blocks AS b WHERE b.chain = 'BTC' AND b.block_number IN (SELECT block_number FROM place))
      AND (block_number, tx_index) NOT IN (SELECT c.block_number, c.tx_index FROM btc_coinjoins AS c WHERE c.chain = 'BTC' AND c.block_number IN (SELECT block_number FROM place))) AS t ON t.block_number = p.block_number AND t.tx_index = p.tx_index
    INNER JOIN (
      SELECT i.block_number AS block_number, i.tx_index AS tx_index, if(countIf(i.value IS NULL) = 0, min(i.value), NULL) AS least, count() AS inputs, if(least IS NOT NULL AND uniqExact(i.script_type) = 1, toString(any(i.script_type)), 'several') AS type,
        arraySort(groupUniqArrayIf(toFixedString(substring(SHA256(i.address), 1, 20), 20), i.address != '')) AS senders, groupUniqArrayIf(i.party_id, i.party_id != toFixedString('', 20)) AS payers
      FROM btc_inputs AS i WHERE i.chain = 'BTC' AND (i.block_number, i.tx_index) IN (SELECT block_number, tx_index FROM place) AND i.txid = toFixedString(unhex({txid:String}), 32) AND i.script_type NOT IN ('anchor', 'witness_unknown')
      GROUP BY block_number, tx_index HAVING notEmpty(senders)
    ) AS s ON s.block_number = p.block_number AND s.tx_index = p.tx_index
    LEFT JOIN (
      SELECT a.address AS address, min(a.block_number * 4294967296 + a.position) AS first FROM address_transfers AS a WHERE a.chain = 'BTC' AND a.address IN (SELECT id FROM paid) GROUP BY a.address
    ) AS f ON f.address = p.id
    LEFT JOIN (
      SELECT w.vout AS vout, true AS found, any(x.locktime) AS locktime, any(x.fee) AS fee, any(x.weight) AS weight, any(x.input_count) AS input_count, any(x.output_count) AS output_count
      FROM spends AS w INNER JOIN (SELECT block_number, tx_index, locktime, fee, weight, input_count, output_count FROM btc_transactions WHERE chain = 'BTC' AND (block_number, tx_index) IN (SELECT block_number, tx_index FROM spends)) AS x
        ON x.block_number = w.block_number AND x.tx_index = w.tx_index GROUP BY w.vout
    ) AS n ON n.vout = p.vout
  )
  HAVING length(outs) > 1
)
ARRAY JOIN spoken AS sign
ORDER BY confidence DESC, name
