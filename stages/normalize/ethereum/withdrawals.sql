-- Beacon withdrawals, amounts turned from gwei to wei. Grain: one withdrawal. Parameters: chain, from, to, generation.
-- Reads raw_payloads by its sort key (chain, number, kind); blocks before Shapella have none.
INSERT INTO withdrawals
SELECT
  {chain:String} AS chain, number AS block_number, reinterpretAsUInt64(reverse(unhex(substring(paid.index, 3)))) AS withdrawal_index, block_hash,
  toDateTime64(reinterpretAsUInt64(reverse(unhex(substring(head.timestamp, 3)))), 3, 'UTC') AS block_time,
  reinterpretAsUInt64(reverse(unhex(substring(paid.validatorIndex, 3)))) AS validator_index,
  toFixedString(unhex(substring(paid.address, 3)), 20) AS address,
  reinterpretAsUInt256(reverse(unhex(substring(paid.amount, 3)))) * toUInt256(1000000000) AS amount, {generation:UInt32} AS generation
FROM (
  SELECT number, block_hash, JSONExtract(payload, 'result', 'Tuple(
    timestamp String, withdrawals Array(Tuple(index String, validatorIndex String, address String, amount String)))') AS head
  FROM raw_payloads
  WHERE chain = {chain:String} AND number BETWEEN {from:UInt64} AND {to:UInt64} AND kind = 'block' AND problem = '' AND generation = {generation:UInt32}
  LIMIT 1 BY number
)
ARRAY JOIN head.withdrawals AS paid
