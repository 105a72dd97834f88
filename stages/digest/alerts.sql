-- Digest of the alerts that stand up to a height. Grain: one row (rows, digest). Parameters: chain, height.
SELECT count() AS rows, lower(hex(SHA256(arrayStringConcat(arraySort(groupArray(row_digest)))))) AS digest FROM (
  SELECT SHA256(toString(tuple(* EXCEPT (generation, version)))) AS row_digest FROM alerts FINAL
  WHERE chain = {chain:String} AND block_number <= {height:UInt64} AND NOT retracted
)
