-- Outputs of a range of blocks that look like change. Grain: one output. Parameters: chain, from, to, version, writer (fails where another holds the clusters).
-- Each heuristic rules outputs out and speaks only where it leaves one: optimal_change (worth less than every input, of two and more),
-- client_change (its address was neither paid nor spent from before in what is indexed, and pays nothing here), legacy (both of these at once), address_type (the type of all inputs), address_reuse (an
-- input's address), power_of_ten (no multiple of 0.01 BTC). legacy follows from the first two, so it counts where neither speaks. Transactions that may be
-- CoinJoins have no change that can be told. What anybody may spend (anchor, witness_unknown: groups.sql) is nobody's: it neither pays nor is change. What needs inputs that are unresolved does not speak.
-- A script without an address (a bare key, a bare multisig) may be change as well, so each heuristic has to rule it out like any other; a link is told of addresses alone. What nobody can spend (OP_RETURN, a script
-- longer than any that is run) is left out.
-- Of a height only the rows of the block that stands are read: a late writer may have left some of one that is orphaned, until the audit sweeps them.
-- Sort keys: btc_blocks (chain, block_number), btc_inputs, btc_outputs and btc_coinjoins (chain, block_number, tx_index, …), address_transfers (chain, address, …).
INSERT INTO btc_change_links (chain, block_number, tx_index, vout, txid, from_address, address, value, signs, score, version)
WITH standing AS (SELECT block_number, max(generation) AS generation FROM btc_blocks WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} GROUP BY block_number)
SELECT {chain:String}, block_number, tx_index, told.1, txid, sender, told.3, told.2, arrayMap(sign -> sign.1, spoken), 1 - exp2(-toFloat64(counted)), {version:UInt64}
FROM (
  SELECT block_number, tx_index, any(txid) AS txid, any(sender) AS sender, groupArray((vout, value, id, addressed)) AS outs,
    arrayFilter(sign -> sign.2 = 1, [
      ('optimal_change', countIf(below AND inputs > 1), anyIf(vout, below AND inputs > 1)), ('client_change', countIf(unseen), anyIf(vout, unseen)), ('legacy', countIf(below AND unseen), anyIf(vout, below AND unseen)),
      ('address_type', countIf(alike), anyIf(vout, alike)), ('address_reuse', countIf(back), anyIf(vout, back)), ('power_of_ten', countIf(odd), anyIf(vout, odd))]) AS spoken,
    length(spoken) - toUInt8(arrayExists(sign -> sign.1 = 'legacy', spoken) AND arrayExists(sign -> sign.1 IN ('optimal_change', 'client_change'), spoken)) AS counted,
    arrayFirst(out -> out.1 = spoken[1].3, outs) AS told
  FROM (
    SELECT p.block_number AS block_number, p.tx_index AS tx_index, p.vout AS vout, p.txid AS txid, p.value AS value, p.id AS id, p.addressed AS addressed, s.senders[1] AS sender, s.inputs AS inputs, ifNull(p.value < s.least, false) AS below,
      p.script_type = s.type AS alike, has(s.payers, p.id) AS back, p.id = toFixedString('', 20) OR (f.first = p.block_number * 4294967296 + p.tx_index AND NOT back) AS unseen, p.value % 1000000 != 0 AS odd
    FROM (
      SELECT block_number, tx_index, vout, txid, value, script_type, o.party_id AS id, o.address != '' AS addressed FROM btc_outputs AS o
      WHERE o.chain = {chain:String} AND o.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND (o.block_number, o.generation) IN standing AND o.script_type NOT IN ('nulldata', 'anchor', 'witness_unknown') AND (o.block_number, o.tx_index, o.vout) NOT IN (
        -- Apart, so that scripts are read of these few alone.
        SELECT block_number, tx_index, vout FROM btc_outputs WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND (block_number, generation) IN standing AND script_type = 'nonstandard' AND (startsWith(script, '\x6a') OR length(script) > 10000))
    ) AS p
    INNER JOIN (
      SELECT block_number, tx_index, if(countIf(i.value IS NULL) = 0, min(i.value), NULL) AS least, count() AS inputs, if(least IS NOT NULL AND uniqExact(i.script_type) = 1, toString(any(i.script_type)), 'several') AS type,
        groupUniqArrayIf(i.party_id, i.party_id != toFixedString('', 20) AND i.script_id = '') AS senders, groupUniqArrayIf(i.party_id, i.party_id != toFixedString('', 20)) AS payers
      FROM btc_inputs AS i
      WHERE i.chain = {chain:String} AND i.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND (i.block_number, i.generation) IN standing AND i.prevout != 'coinbase' AND i.script_type NOT IN ('anchor', 'witness_unknown')
        AND (i.block_number, i.tx_index) NOT IN (SELECT block_number, tx_index FROM btc_coinjoins WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND (block_number, generation) IN standing)
      GROUP BY block_number, tx_index HAVING notEmpty(senders)
    ) AS s ON s.block_number = p.block_number AND s.tx_index = p.tx_index
    LEFT JOIN (
      SELECT address, min(block_number * 4294967296 + position) AS first FROM address_transfers
      WHERE chain = {chain:String} AND address IN (
        SELECT o.party_id FROM btc_outputs AS o WHERE o.chain = {chain:String} AND o.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND o.party_id != toFixedString('', 20))
      GROUP BY address
    ) AS f ON f.address = p.id
  )
  GROUP BY block_number, tx_index
  HAVING length(outs) > 1 AND counted > 1 AND told.4 AND length(arrayDistinct(arrayMap(sign -> sign.3, spoken))) = 1
)
WHERE NOT throwIf((SELECT writer FROM btc_cluster_leases WHERE chain = {chain:String} ORDER BY seq DESC LIMIT 1) != {writer:String}, 'another process has taken the clusters over')
