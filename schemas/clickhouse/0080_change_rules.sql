-- Which addresses links to change take for new, by newer rules.

-- Rules 4 of clusters (clusterRules) take an address that was spent from before for known, though what paid it is not indexed: up to the first block that pays such an address for the first time they say what rules 3 said.
-- Addresses are gone through in their order, so that few are in memory at once.
ALTER TABLE btc_cluster_blocks UPDATE rules = 4 WHERE rules = 3 AND block_number < ifNull(
  (SELECT minOrNull(paid) FROM (
    SELECT minIf(block_number * 4294967296 + position, direction = 'in') AS first, min(block_number * 4294967296 + position) AS seen, intDiv(first, 4294967296) AS paid FROM address_transfers
    WHERE chain = 'BTC' GROUP BY chain, address HAVING countIf(direction = 'in') > 0 AND seen < first
    SETTINGS optimize_aggregation_in_order = 1
  )), 18446744073709551615)
SETTINGS mutations_sync = 1;
