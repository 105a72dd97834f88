-- Blocks out of JSON (getblock at verbosity 3, or 2 without prevouts), each answer parsed once. Grain: one block;
-- schemas/clickhouse/0017_bitcoin.sql and 0070 say how it is cut into rows. Parameters: chain, from, to, generation, p2pkh, p2sh, hrp, halving.
-- Amounts are read as the digits they are written in, made strings before anything takes them for floats (a quote inside a string of JSON is
-- never bare). Older nodes write addresses for address, and no weight where there was none. A key's or a multisig's address, which they made up,
-- is not taken. An amount has no more digits than the decimal it becomes holds: of longer ones it would make zero, or cut them. Reads raw_payloads by its sort key (chain, kind, number), of a block that landed twice what came first, as raw.sql does. One thread and one block of rows, as for bytes.
INSERT INTO btc_answers (chain, generation, p2pkh, p2sh, hrp, halving, block_number, block_hash, parent_hash, version, merkle_root, time, bits, nonce, size, weight, coinbase_text, transactions, brought, sides)
SELECT {chain:String}, {generation:UInt32}, {p2pkh:UInt8}, {p2sh:UInt8}, {hrp:String}, {halving:UInt32}, number, block_hash, parent_hash,
  toInt32(head.version), toFixedString(unhex(head.merkleroot), 32), head.time, reinterpretAsUInt32(reverse(unhex(head.bits))), head.nonce, head.size, if(head.weight = 0, 4 * head.size, head.weight),
  unhex(head.tx.vin[1][1].coinbase),
  arrayMap((txid, version, locktime, size, weight, vin, vout) -> (toFixedString(unhex(txid), 32), toInt32(version), locktime, size, if(weight = 0, 4 * size, weight), toUInt32(length(vin)), toUInt32(length(vout)),
    arraySum(out -> toUInt64(toDecimal128OrZero(out.value, 18) * 100000000), vout)), head.tx.txid, head.tx.version, head.tx.locktime, head.tx.size, head.tx.weight, head.tx.vin, head.tx.vout),
  arrayMap((vin, nth) -> if(nth > 1 AND has(vin.prevout.value, ''), NULL, toNullable(arraySum(spends -> toUInt64(toDecimal128OrZero(spends.prevout.value, 18) * 100000000), vin))), head.tx.vin, arrayEnumerate(head.tx)),
  arrayFlatten(arrayMap((txid, vin, vout, nth) -> arrayConcat(
    arrayMap((spends, place) -> (toUInt32(nth - 1), toUInt32(place - 1), multiIf(nth = 1, 'coinbase', spends.prevout.value = '', 'unknown', 'spent'), txid,
      toUInt64(toDecimal128OrZero(spends.prevout.value, 18) * 100000000), unhex(spends.prevout.scriptPubKey.hex),
      if(startsWith(spends.prevout.scriptPubKey.type, 'witness') OR spends.prevout.scriptPubKey.type = 'anchor', if(spends.prevout.scriptPubKey.address = '', spends.prevout.scriptPubKey.addresses[1], spends.prevout.scriptPubKey.address), ''),
      if(spends.prevout.scriptPubKey.type IN ('nulldata', 'multisig'), spends.prevout.scriptPubKey.type, 'other'), toFixedString(unhex(spends.txid), 32), if(nth = 1, 4294967295, spends.vout), spends.sequence), vin, arrayEnumerate(vin)),
    arrayMap((out, place) -> (toUInt32(nth - 1), toUInt32(place - 1), 'output', txid, toUInt64(toDecimal128OrZero(out.value, 18) * 100000000), unhex(out.scriptPubKey.hex),
      if(startsWith(out.scriptPubKey.type, 'witness') OR out.scriptPubKey.type = 'anchor', if(out.scriptPubKey.address = '', out.scriptPubKey.addresses[1], out.scriptPubKey.address), ''),
      if(out.scriptPubKey.type IN ('nulldata', 'multisig'), out.scriptPubKey.type, 'other'), toFixedString('', 32), toUInt32(0), toUInt32(0)), vout, arrayEnumerate(vout))),
    arrayMap(txid -> toFixedString(unhex(txid), 32), head.tx.txid), head.tx.vin, head.tx.vout, arrayEnumerate(head.tx)))
FROM (
  SELECT number, block_hash, parent_hash, head FROM (
    SELECT number, block_hash, parent_hash,
      JSONExtract(replaceRegexpAll(payload, '"value"\\s*:\\s*([-+0-9.eE]+)', '"value":"\\1"'), 'result', 'Tuple(hash String, version Int64, merkleroot String, time UInt32, bits String, nonce UInt32, size UInt32, weight UInt32, nTx UInt32,
        tx Array(Tuple(txid String, hash String, version Int64, locktime UInt32, size UInt32, weight UInt32,
          vin Array(Tuple(coinbase String, txid String, vout UInt32, sequence UInt32, prevout Tuple(value String, scriptPubKey Tuple(hex String, type String, address String, addresses Array(String))))),
          vout Array(Tuple(value String, scriptPubKey Tuple(hex String, type String, address String, addresses Array(String)))))))') AS head,
      arrayConcat(arrayFlatten(arrayMap(vout -> vout.value, head.tx.vout)), arrayFilter(value -> value != '', arrayFlatten(arrayMap(vin -> vin.prevout.value, head.tx.vin)))) AS amounts
    FROM (
      SELECT number, block_hash, parent_hash, payload, traces_kind FROM raw_payloads
      WHERE chain = {chain:String} AND number BETWEEN {from:UInt64} AND {to:UInt64} AND kind = 'block' AND problem = '' AND generation = {generation:UInt32}
      ORDER BY number, fetched_at, traces_kind LIMIT 1 BY number
    )
    WHERE traces_kind = 'btc_json'
  )
  WHERE NOT throwIf(unhex(head.hash) != block_hash, 'an answer is not the block it was fetched as, or is not whole JSON')
    AND NOT throwIf(empty(head.tx) OR (head.nTx > 0 AND head.nTx != length(head.tx)), 'an answer has not all transactions of its block, or only their hashes')
    AND NOT throwIf(arrayExists(txid -> NOT match(txid, '^[0-9a-f]{64}$'), head.tx.txid), 'an answer has only hashes for transactions: verbosity 2 or 3 is needed')
    AND NOT throwIf(arrayExists((txid, hash, weight) -> weight = 0 AND hash NOT IN ('', txid), head.tx.txid, head.tx.hash, head.tx.weight), 'an answer has transactions with witnesses and no weight: the node is older than Bitcoin Core 0.15')
    AND NOT throwIf(arrayExists(value -> NOT match(value, '^[0-9]{1,10}([.][0-9]{1,10})?([eE](-0?[0-8]|[+]?0?[0-9]))?$') OR toDecimal128OrZero(value, 18) * 100000000 != toUInt64(toDecimal128OrZero(value, 18) * 100000000), amounts),
      'an amount is not a whole number of satoshis')
)
SETTINGS deduplicate_blocks_in_dependent_materialized_views = 1, max_threads = 1, min_insert_block_size_rows = 1000000000, min_insert_block_size_bytes = 0
