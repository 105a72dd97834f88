-- Ends what still writes rows of batches that a rollback ended, known by the token it runs under (database|chain-from-to-hash-ggeneration|statement). Parameters: chain, from, generation (of the rollback).
KILL QUERY WHERE startsWith(query_id, concat(currentDatabase(), '|', {chain:String}, '-'))
  AND toUInt64OrZero(extract(query_id, '[|][A-Za-z]+-[0-9]+-([0-9]+)-[0-9A-Za-z]*-g[0-9]+[|]')) >= {from:UInt64}
  AND toUInt32OrNull(extract(query_id, '[|][A-Za-z]+-[0-9]+-[0-9]+-[0-9A-Za-z]*-g([0-9]+)[|]')) < {generation:UInt32} ASYNC
