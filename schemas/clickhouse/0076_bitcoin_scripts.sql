-- Scripts of Bitcoin, seen by newer rules.

-- Rules 3 of clusters (clusterRules) let a script without an address be change as well: up to the first block that pays such a script they say what rules 2 said. A coinbase has no change.
ALTER TABLE btc_cluster_blocks UPDATE rules = 3 WHERE rules = 2 AND block_number < ifNull(
  (SELECT minOrNull(block_number) FROM btc_outputs WHERE tx_index > 0 AND script_type IN ('pubkey', 'multisig', 'nonstandard')), 18446744073709551615)
SETTINGS mutations_sync = 1;
