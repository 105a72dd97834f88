-- Digest of one fact table's rows up to a height, whatever order they were written in. Grain: one row (rows, digest).
-- Parameters: table, chain, height. Rows are hashed without the generation of their batch (and what follows from other columns: party_id), sorted inside their block, then blocks are
-- hashed in order. Sort key (chain, block_number).
SELECT sum(block_rows) AS rows, lower(hex(SHA256(arrayStringConcat(groupArray(block_digest))))) AS digest FROM (
  SELECT block_number, count() AS block_rows, SHA256(arrayStringConcat(arraySort(groupArray(row_digest)))) AS block_digest FROM (
    SELECT block_number, SHA256(toString(tuple(* EXCEPT (generation, party_id)))) AS row_digest FROM {table:Identifier}
    WHERE chain = {chain:String} AND block_number <= {height:UInt64}
  ) GROUP BY block_number ORDER BY block_number
)
