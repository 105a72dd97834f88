-- The segwit script that an input of a P2SH address shows: the one push of its signature script, read from the block as the node gave it, bytes or JSON.
-- Grain: one row, none where nothing was spent, or the bytes are no longer kept. Parameters: id (hex). Who asks checks that the address is the script's.
-- Sort keys: address_transfers (chain, address, …); btc_inputs (chain, block_number, tx_index, …); raw_payloads (chain, kind, number).
WITH
  spent AS (
    SELECT i.block_number AS block_number, i.block_hash AS block_hash, i.prev_txid AS prev_txid, i.prev_vout AS prev_vout FROM btc_inputs AS i
    WHERE i.chain = 'BTC' AND (i.block_number, i.tx_index) IN (
      SELECT a.block_number, a.position FROM address_transfers AS a WHERE a.chain = 'BTC' AND a.address = toFixedString(unhex({id:String}), 20) AND a.direction = 'out' ORDER BY a.block_number DESC LIMIT 1
    ) AND i.script_type = 'scripthash' AND toFixedString(substring(SHA256(i.address), 1, 20), 20) = toFixedString(unhex({id:String}), 20)
    LIMIT 1
  )
SELECT lower(hex(script)) AS script FROM (
  SELECT if(r.traces_kind = 'btc_raw',
      substring(r.payload, position(r.payload, concat(reverse(unhex(hex(s.prev_txid))), substring(reinterpretAsString(toUInt64(s.prev_vout) + 4294967296), 1, 4))) + 36, 36),
      substring(r.payload, position(r.payload, concat('"txid":"', lower(hex(s.prev_txid)), '","vout":', toString(s.prev_vout), ',"scriptSig":{')), 600)) AS around,
    multiIf(r.traces_kind != 'btc_raw', unhex(extract(around, '"hex":"(?:16|22)(0014[0-9a-f]{40}|0020[0-9a-f]{64})"')),
      substring(around, 1, 2) = unhex('1716'), substring(around, 3, 22), substring(around, 1, 2) = unhex('2322'), substring(around, 3, 34), '') AS script
  FROM spent AS s
  INNER JOIN (SELECT number, block_hash, payload, traces_kind FROM raw_payloads WHERE chain = 'BTC' AND kind = 'block' AND problem = '' AND number IN (SELECT block_number FROM spent)) AS r ON r.number = s.block_number AND r.block_hash = s.block_hash
  LIMIT 1
) WHERE script != ''
