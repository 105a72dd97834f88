-- Beacon withdrawals, amounts turned from gwei to wei. Grain: one withdrawal. Parameters: chain, from, to, generation.
-- Reads raw_payloads by its sort key (chain, kind, number) and the batch's blocks' times; blocks before Shapella have none.
-- The array is cut out of the text before it is parsed: it holds no brackets, and parsing the whole block again would cost ten times as much.
INSERT INTO withdrawals
SELECT
  {chain:String} AS chain, number AS block_number, reinterpretAsUInt64(reverse(unhex(substring(paid.index, 3)))) AS withdrawal_index, block_hash,
  toDateTime64(reinterpretAsUInt64(reverse(unhex(seconds))), 3, 'UTC') AS block_time,
  reinterpretAsUInt64(reverse(unhex(substring(paid.validatorIndex, 3)))) AS validator_index,
  toFixedString(unhex(substring(paid.address, 3)), 20) AS address,
  reinterpretAsUInt256(reverse(unhex(substring(paid.amount, 3)))) * toUInt256(1000000000) AS amount, {generation:UInt32} AS generation
FROM (
  SELECT number, block_hash,
    extract(substring(payload, position(payload, '"timestamp"'), 40), '"timestamp"\s*:\s*"0x([0-9a-f]+)"') AS seconds,
    JSONExtract(extract(substring(payload, position(payload, '"withdrawals"')), '"withdrawals"\s*:\s*(\[[^\]]*\])'),
      'Array(Tuple(index String, validatorIndex String, address String, amount String))') AS list
  FROM raw_payloads
  WHERE chain = {chain:String} AND number BETWEEN {from:UInt64} AND {to:UInt64} AND kind = 'block' AND problem = '' AND generation = {generation:UInt32}
    AND position(payload, '"withdrawals"') > 0
  LIMIT 1 BY number
)
ARRAY JOIN list AS paid
