-- Bitcoin's CoinJoins, clusters of addresses that spent together, and links to change. An address and a cluster are ids of 20 bytes: those
-- of btc_addresses. A cluster is named by one of its addresses; when two meet, the one with more addresses keeps its name (of equal
-- ones the name that sorts first), so the name says nothing but which one it is.

-- Grain: one transaction that a detector takes for a CoinJoin; detector is the first that does, of those in the order of the statement;
-- others: the rest that do. Inputs that are unresolved are taken to fit, and the confidence is halved. denomination: the value most of its
-- outputs share (the largest of them), equal_outputs: how many do. values and counts: each value of two and more outputs, and how many have it.
CREATE TABLE IF NOT EXISTS btc_coinjoins (
  chain LowCardinality(String), block_number UInt64, tx_index UInt32, block_hash FixedString(32), block_time DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)), txid FixedString(32),
  detector LowCardinality(String), detector_version UInt16, confidence UInt8, others Array(LowCardinality(String)), input_count UInt32, output_count UInt32, unresolved_inputs UInt32,
  output_value UInt64, denomination UInt64, equal_outputs UInt32, values Array(UInt64), counts Array(UInt32), generation UInt32,
  INDEX by_txid txid TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 100000)) ORDER BY (chain, block_number, tx_index)
SETTINGS index_granularity = 1024, non_replicated_deduplication_window = 10000;

-- Who clusters. Grain: one step of who holds the work; seq counts them and each has one writer (the insert token is a compare-and-set).
-- released gives it back. Who holds it renews it; what was not renewed for a while may be taken.
CREATE TABLE IF NOT EXISTS btc_cluster_leases (
  chain LowCardinality(String), seq UInt64, writer String, released Bool, at DateTime64(3, 'UTC') DEFAULT now64(3)
) ENGINE = MergeTree ORDER BY (chain, seq)
SETTINGS non_replicated_deduplication_window = 100000;

-- Blocks that clusters have seen. Grain: one block, written after everything it changed: what the other tables hold above the
-- highest of them was left by a run that died.
CREATE TABLE IF NOT EXISTS btc_cluster_blocks (
  chain LowCardinality(String), block_number UInt64, block_hash FixedString(32), version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (chain, block_number);

-- The changelog. Grain: one transaction that changed a cluster: made it (new), brought addresses in (addition), or brought clusters
-- together (merge: old became cluster). part: which group of the transaction's addresses (0: its inputs). addresses: those that were in no cluster before. size: addresses of the cluster after it.
CREATE TABLE IF NOT EXISTS btc_cluster_log (
  chain LowCardinality(String), block_number UInt64, tx_index UInt32, part UInt32, txid FixedString(32), kind Enum8('new' = 1, 'addition' = 2, 'merge' = 3),
  cluster FixedString(20), old Array(FixedString(20)), addresses Array(FixedString(20)), size UInt32, version UInt64,
  INDEX by_cluster cluster TYPE bloom_filter(0.01) GRANULARITY 1, INDEX by_old old TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = ReplacingMergeTree(version) ORDER BY (chain, block_number, tx_index, part)
SETTINGS index_granularity = 1024;

-- Merges that were not made: the clusters and addresses a transaction would have joined carry different names.
-- Grain: one transaction (part as in the changelog). clusters, names, sizes: side by side, as they were at that transaction; an address
-- that was in no cluster stands for itself; name is '' where there is none.
CREATE TABLE IF NOT EXISTS btc_cluster_quarantine (
  chain LowCardinality(String), block_number UInt64, tx_index UInt32, part UInt32, txid FixedString(32), clusters Array(FixedString(20)), names Array(String), sizes Array(UInt32), version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (chain, block_number, tx_index, part)
SETTINGS index_granularity = 1024;

-- Which addresses changed hands between clusters; old and cluster are zero where there is none. Keeps nothing: the two tables below are cut from it.
CREATE TABLE IF NOT EXISTS btc_cluster_moves (chain LowCardinality(String), address FixedString(20), old FixedString(20), cluster FixedString(20), version UInt64) ENGINE = Null;

-- Grain: one address and its cluster (zero: in none any more). The newest version counts.
CREATE TABLE IF NOT EXISTS btc_cluster_members (
  chain LowCardinality(String), address FixedString(20), cluster FixedString(20), version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (chain, address)
SETTINGS index_granularity = 1024;

CREATE MATERIALIZED VIEW IF NOT EXISTS btc_cluster_members_cut TO btc_cluster_members AS SELECT chain, address, cluster, version FROM btc_cluster_moves;

-- The same by cluster. Grain: one address in one cluster; present: whether it still is.
CREATE TABLE IF NOT EXISTS btc_cluster_lists (
  chain LowCardinality(String), cluster FixedString(20), address FixedString(20), present Bool, version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (chain, cluster, address)
SETTINGS index_granularity = 1024;

CREATE MATERIALIZED VIEW IF NOT EXISTS btc_cluster_lists_come TO btc_cluster_lists AS
SELECT chain, cluster, address, true AS present, version FROM btc_cluster_moves WHERE cluster != toFixedString('', 20);
CREATE MATERIALIZED VIEW IF NOT EXISTS btc_cluster_lists_gone TO btc_cluster_lists AS
SELECT chain, old AS cluster, address, false AS present, version FROM btc_cluster_moves WHERE old != toFixedString('', 20);

-- The names clusters go by: what labels said of single addresses when they were last looked at. Grain: one address; name is entity
-- without case, blanks and signs ('': it has no name any more).
CREATE TABLE IF NOT EXISTS btc_cluster_names (
  chain LowCardinality(String), address FixedString(20), name String, entity String, category LowCardinality(String), source LowCardinality(String), confidence UInt8, version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (chain, address);

-- Whose a cluster is. Grain: one cluster; labelled: how many of its addresses say so (0: it has no name any more). The newest version counts.
CREATE TABLE IF NOT EXISTS btc_cluster_entities (
  chain LowCardinality(String), cluster FixedString(20), name String, labelled UInt32, version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (chain, cluster);

-- An address's cluster and whose it is. Narrow it by address. name is '' where the cluster has none.
CREATE VIEW IF NOT EXISTS btc_clusters_now AS
SELECT m.chain AS chain, m.address AS address, m.cluster AS cluster, e.name AS name, e.labelled AS labelled
FROM (SELECT chain, address, cluster FROM btc_cluster_members FINAL WHERE cluster != toFixedString('', 20)) AS m
LEFT JOIN (SELECT chain, cluster, name, labelled FROM btc_cluster_entities FINAL) AS e ON e.chain = m.chain AND e.cluster = m.cluster;

-- Outputs that look like change. Grain: one output of one transaction; signs: the heuristics that rule out every other output of it. At least
-- two speak for it that do not follow from each other, and none for another output. score: 1 - 2^-(signs that count), no probability that was measured.
-- A link is no proof and never joins clusters. from_address: one of the addresses that spent.
CREATE TABLE IF NOT EXISTS btc_change_links (
  chain LowCardinality(String), block_number UInt64, tx_index UInt32, vout UInt32, txid FixedString(32), from_address FixedString(20), address FixedString(20), value UInt64,
  signs Array(LowCardinality(String)), score Float64, version UInt64,
  INDEX by_address address TYPE bloom_filter(0.01) GRANULARITY 1, INDEX by_txid txid TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = ReplacingMergeTree(version) PARTITION BY (chain, intDiv(block_number, 100000)) ORDER BY (chain, block_number, tx_index, vout);

-- Peel chains, hop by hop. Grain: one transaction of one input and two outputs, the smaller at most half of the larger, that spends an output of
-- another of one input and two outputs. peeled: the smaller output, passed: the larger; prev: what it spends.
CREATE TABLE IF NOT EXISTS btc_peels (
  chain LowCardinality(String), prev_txid FixedString(32), prev_vout UInt32, block_number UInt64, tx_index UInt32, block_time DateTime64(3, 'UTC'), txid FixedString(32), prev_block UInt64,
  peeled_vout UInt32, peeled UInt64, peeled_to FixedString(20), passed_vout UInt32, passed UInt64, passed_to FixedString(20), version UInt64,
  INDEX by_txid txid TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = ReplacingMergeTree(version) ORDER BY (chain, prev_txid, prev_vout, block_number, tx_index)
