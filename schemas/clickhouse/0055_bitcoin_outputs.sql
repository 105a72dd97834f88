-- A transaction's outputs are found by its place (btc_txids): nothing asks this index any more, and every block paid for it.
ALTER TABLE btc_outputs DROP INDEX IF EXISTS by_txid;
