-- Digest of one aggregate as readers see it (a view of *_segments). Grain: one row (rows, digest). Parameters: table, chain.
SELECT count() AS rows, lower(hex(SHA256(arrayStringConcat(arraySort(groupArray(row_digest)))))) AS digest FROM (
  SELECT SHA256(toString(tuple(*))) AS row_digest FROM {table:Identifier} WHERE chain = {chain:String}
)
