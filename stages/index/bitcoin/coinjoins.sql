-- CoinJoins of a batch by five detectors. Grain: one transaction that at least one of them takes for one; the first is its detector.
-- Parameters: chain, from, to, generation. Sort keys: btc_transactions, btc_outputs and btc_inputs (chain, block_number, tx_index, …).
-- whirlpool: five to ten inputs and as many outputs of one pool's size. wasabi2: 50 and more inputs, both sides sorted downwards, four of five outputs of standard sizes (powers of 2, 3 and 10, 2 * 3^i, 2 * 10^i, 5 * 10^i). wasabi1: equal outputs and a fee to its coordinator, later ten
-- equal outputs of about 0.1 and as many inputs, however many are equal of another size (version 3; before, no other size had as many). Version 4: wasabi2 also where no two of fewer than 50 outputs are equal. Version 5: an OP_RETURN, and what is worth 0, is no output that could equal another (two of 0 satoshis were). joinmarket: one value repeats, one other output for each of it, and who pays most gets his change.
-- generic: half of the outputs (rounded up) are equal, and there are as many different inputs. 546 and 2730 satoshis are dust of token protocols: neither of the last two takes them.
-- Who takes part brings a party of his own (an address, or a script that has none): what one pays alone is none, however even its payments are. What anybody may spend (anchor,
-- witness_unknown) and what is worth nothing and has no address bring nobody. Of Wasabi's both, fewer parties than equal outputs may be a wallet that pays evenly, and fewer than 20 outputs
-- one that gathers its coins (a few outputs are sorted and round by chance): a sign, and no more.
-- An input that is unresolved could be anything, so it is taken to fit: what may be a CoinJoin must not join addresses.
INSERT INTO btc_coinjoins (chain, block_number, tx_index, block_hash, block_time, txid, detector, detector_version, confidence, others, input_count, output_count, unresolved_inputs,
  output_value, denomination, equal_outputs, values, counts, generation)
WITH
  arrayFilter(v -> v BETWEEN 5000 AND 134375000000, arrayConcat(arrayMap(i -> toUInt64(intExp2(i)), range(12, 37)), arrayMap(i -> toUInt64(intExp10(i)), range(3, 12)),
    arrayMap(i -> toUInt64(2 * intExp10(i)), range(3, 11)), arrayMap(i -> toUInt64(5 * intExp10(i)), range(3, 11)),
    arrayMap(i -> toUInt64(round(exp2(i * log2(3)))), range(7, 24)), arrayMap(i -> 2 * toUInt64(round(exp2(i * log2(3)))), range(7, 23)))) AS standard,
  ['bc1qs604c7jv6amk4cxqlnvuxv26hv3e48cds4m0ew', 'bc1qa24tsgchvuxsaccp8vrnkfd85hrcpafg20kmjw'] AS coordinators,
  able AS (
    SELECT block_number, tx_index FROM btc_transactions
    WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND NOT coinbase AND input_count >= 2 AND output_count >= 3
  ),
  -- Rounds of Wasabi 2 need no two equal outputs.
  crowds AS (
    SELECT block_number, tx_index FROM btc_transactions
    WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND NOT coinbase AND input_count >= 50 AND output_count >= 3 AND block_number >= 741213
  ),
  paid AS (
    SELECT block_number, tx_index, arrayMap(pair -> pair.2, arraySort(groupArrayIf((o.vout, o.value), o.script_type != 'nulldata' AND o.value > 0 AS pays))) AS outs, sumMapIf([o.value], [toUInt32(1)], pays) AS found,
      countIf(o.script_type != 'witness_v0_keyhash') AS other_outs, uniqExactIf(o.script, pays) AS out_scripts, countIf(has(coordinators, o.address)) AS coordinated
    FROM btc_outputs AS o
    WHERE o.chain = {chain:String} AND o.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND o.generation = {generation:UInt32} AND (block_number, tx_index) IN able
    GROUP BY block_number, tx_index
    HAVING length(outs) >= 3 AND (arrayMax(found.2) >= 2 OR length(outs) >= 50 OR (block_number, tx_index) IN crowds)
  ),
  spent AS (
    SELECT block_number, tx_index, arrayMap(pair -> pair.2, arraySort(groupArrayIf((i.vin, assumeNotNull(i.value)), i.value IS NOT NULL))) AS ins,
      uniqExactIf(i.party_id, i.party_id != toFixedString('', 20) AND i.script_type NOT IN ('anchor', 'witness_unknown')) + countIf(i.prevout = 'unresolved') AS parties,
      countIf(i.prevout != 'unresolved' AND i.script_type != 'witness_v0_keyhash') AS other_ins, countIf(i.prevout != 'unresolved' AND i.script_type NOT IN ('witness_v0_keyhash', 'witness_v1_taproot')) AS older_ins
    FROM btc_inputs AS i
    WHERE i.chain = {chain:String} AND i.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND i.generation = {generation:UInt32} AND (block_number, tx_index) IN able
    GROUP BY block_number, tx_index
    HAVING count() >= 2
  )
SELECT {chain:String}, block_number, tx_index, t.block_hash, t.block_time, t.txid, held[1].1, 5, intDiv(held[1].2, if(t.unresolved_inputs > 0, 2, 1)), arrayMap(one -> one.1, arraySlice(held, 2)),
  t.input_count, t.output_count, t.unresolved_inputs, t.output_value, denomination, equal, arrayMap(pair -> pair.1, repeated), arrayMap(pair -> pair.2, repeated), {generation:UInt32}
FROM (
  SELECT *, arrayMax(found.2) AS equal, arrayMax(arrayFilter((v, n) -> n = equal, found.1, found.2)) AS denomination, length(outs) AS outputs,
    arrayMax(arrayMap((v, n) -> if(v BETWEEN 8000000 AND 12000000, n, 0), found.1, found.2)) AS tenths, arrayFilter(pair -> pair.2 >= 2, arrayZip(found.1, found.2)) AS repeated, intDiv(outputs + 1, 2) AS half, denomination IN (546, 2730) AS dust, arrayMax(arrayFilter(v -> v != denomination, found.1)) AS change,
    arrayFilter(one -> one.3, [
      ('whirlpool', 95, block_number >= 570000 AND parties > 1 AND input_count = outputs AND outputs BETWEEN 5 AND 10 AND equal = outputs AND other_outs = 0 AND other_ins = 0
        AND denomination IN (100000, 1000000, 5000000, 50000000) AND (has(ins, denomination) OR unresolved_inputs > 0) AND arrayAll(v -> v BETWEEN denomination AND denomination + 110000, ins)),
      ('wasabi2', if(outputs >= 20, 95, 45), block_number >= 741213 AND input_count >= 50 AND parties > 1 AND older_ins = 0 AND arrayReverseSort(ins) = ins AND arrayReverseSort(outs) = outs
        AND 5 * arrayCount(v -> has(standard, v), outs) > 4 * output_count),
      ('wasabi1', if(block_number < 610000 OR parties >= tenths, 90, 45), (block_number BETWEEN 530500 AND 609999 AND coordinated > 0 AND equal > 2) OR (block_number >= 610000 AND other_ins = 0 AND other_outs = 0 AND tenths >= 10
        AND input_count >= tenths AND parties > 1 AND arrayCount(n -> n = 1, found.2) >= 2)),
      ('joinmarket', 60, block_number >= 392300 AND NOT dust AND length(repeated) = 1 AND equal = outputs - equal AND parties >= equal AND out_scripts >= equal
        AND arrayMax(ins) + 10000 <= denomination + change),
      ('generic', 40, half <= input_count AND half <= parties AND equal = half AND NOT dust)
    ]) AS held
  FROM (
    SELECT * FROM btc_transactions
    WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND NOT coinbase AND input_count >= 2 AND output_count >= 3
  ) AS t
  INNER JOIN paid USING (block_number, tx_index)
  INNER JOIN spent USING (block_number, tx_index)
) AS t
WHERE notEmpty(held)
SETTINGS max_threads = 1
