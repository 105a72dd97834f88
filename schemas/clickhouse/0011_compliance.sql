-- What was attested, how risk is scored, and what transactions were for.

-- Signed reports, for ever. Grain: one report. canonical is the exact text that was hashed and signed (RFC 8785); content_hash is its SHA-256
-- in lower-case hex; attestation (JSON) has both signatures, the seal and the id of the key. owner: whose it is, as for tags.
CREATE TABLE IF NOT EXISTS reports (
  content_hash String, owner String, kind LowCardinality(String), subject String, chain LowCardinality(String), canonical String CODEC(ZSTD(3)), attestation String, created_at DateTime64(3, 'UTC')
) ENGINE = MergeTree ORDER BY content_hash
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1;

-- Days of signed reports that are over (UTC). Grain: one day with reports; the first row of a day counts. leaves: content hashes of its reports in order of
-- (created_at, content_hash), root: of the Merkle tree (RFC 6962) over their bytes. statement: canonical JSON of the root and of the hash of the
-- statement closed before, signed with Ed25519 (lower-case hex) under public_key (base64url), whose id is key_id.
CREATE TABLE IF NOT EXISTS report_days (
  day Date, tree_size UInt64, root String, leaves Array(String) CODEC(ZSTD(3)), statement String, key_id String, public_key String, signature String, closed_at DateTime64(3, 'UTC')
) ENGINE = MergeTree ORDER BY day
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;

-- How risk is scored, open and versioned. Grain: one version of the rule; the newest counts. An address's score of 100 is the greater of what it is itself (weight
-- of its category, times confidence / 100 where that is under own_confidence) and 1 − Π (1 − weight × share × decay^(hops − 1) × confidence / 100) over
-- its exposures. severe, high and medium: from which score on a level begins; under medium is low.
CREATE TABLE IF NOT EXISTS risk_rules (
  rule LowCardinality(String), version UInt16, decay Float64, own_confidence UInt8, severe UInt8, high UInt8, medium UInt8
) ENGINE = ReplacingMergeTree ORDER BY (rule, version);

INSERT INTO risk_rules (rule, version, decay, own_confidence, severe, high, medium) VALUES ('exposure_score', 1, 0.7, 50, 90, 60, 30);

-- What a category weighs, from 0 to 1; those that are not here do not. Grain: one category in one version of the rule.
CREATE TABLE IF NOT EXISTS risk_weights (
  rule LowCardinality(String), version UInt16, category LowCardinality(String), weight Float64
) ENGINE = ReplacingMergeTree ORDER BY (rule, version, category);

INSERT INTO risk_weights (rule, version, category, weight) VALUES
  ('exposure_score', 1, 'sanctioned', 1), ('exposure_score', 1, 'extremism', 1), ('exposure_score', 1, 'hack', 0.95), ('exposure_score', 1, 'ransomware', 0.95), ('exposure_score', 1, 'blacklisted', 0.9),
  ('exposure_score', 1, 'market', 0.9), ('exposure_score', 1, 'scam', 0.8), ('exposure_score', 1, 'mixer', 0.7), ('exposure_score', 1, 'gambling', 0.4);

-- What transactions were for, and the rule that says so: the first that fits. Grain: one transaction. Parameters: chain, blocks and hashes (hex without 0x) of the transactions.
-- usd is of the largest movement in it. Sort keys: transactions (chain, block_number, tx_index), swaps and transfers (chain, block_number, …), by the blocks.
CREATE VIEW IF NOT EXISTS transaction_intents AS
SELECT hash, block_number, tx_index, block_time, sender, creates_contract, receiver_hex, target.1 AS to_label, input_size, called, state, usd,
    multiIf(
      creates_contract, ('contract_creation', 'no receiver'),
      target.2 = 'mixer', ('mixer', 'the receiver is labelled as a mixer'),
      mixed > 0, ('mixer', 'value moved to or from a mixer'),
      target.2 = 'bridge', ('bridge', 'the receiver is labelled as a bridge'),
      bridged > 0, ('bridge', 'value moved to or from a bridge'),
      traded > 0, ('swap', 'a swap event was decoded'),
      called IN ('095ea7b3', 'a22cb465', '39509351', 'd505accf', '8fcbaf0c', '87517c45', '2b67b570') AND input_size >= 4, ('approval', 'selector of an approval or permit'),
      wrapped > 0 AND receiver = toFixedString(unhex('c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'), 20), ('wrap', 'the coin was wrapped or unwrapped'),
      minted > 0, ('mint', 'tokens came from the zero address'),
      called IN ('a9059cbb', '23b872dd', '42842e0e', 'b88d4fde', 'f242432a', '2eb2c2d6') AND input_size >= 4, ('transfer', 'selector of a transfer'),
      input_size = 0 AND value > 0, ('transfer', 'coin without a call'),
      moved > 0 AND movers = [sender], ('transfer', 'only the sender\'s tokens moved'),
      ('other', 'no rule fits')) AS verdict
FROM (
  SELECT p.tx_hash AS hash, p.block_number AS block_number, p.tx_index AS tx_index, p.block_time AS block_time, p.from_address AS sender, p.to_address AS receiver,
    concat('0x', lower(hex(p.to_address))) AS receiver_hex, p.creates_contract AS creates_contract, lower(hex(p.selector)) AS called, p.input_size AS input_size, p.value AS value, p.status AS state,
    dictGet('label_of', ('label', 'category'), ({chain:String}, receiver_hex)) AS target, s.swaps AS traded,
    m.mixed AS mixed, m.bridged AS bridged, m.minted AS minted, m.wrapped AS wrapped, m.moved AS moved, m.movers AS movers, m.usd AS usd
  FROM (
    SELECT * FROM transactions AS t
    WHERE t.chain = {chain:String} AND t.block_number IN {blocks:Array(UInt64)} AND has({hashes:Array(String)}, lower(hex(t.tx_hash)))
  ) AS p
  LEFT JOIN (
    SELECT block_number, tx_index, count() AS swaps FROM swaps WHERE chain = {chain:String} AND block_number IN {blocks:Array(UInt64)} GROUP BY block_number, tx_index
  ) AS s ON s.block_number = p.block_number AND s.tx_index = p.tx_index
  LEFT JOIN (
    SELECT block_number, tx_index, countIf(from_class = 'mixer' OR to_class = 'mixer') AS mixed, countIf(from_class = 'bridge' OR to_class = 'bridge') AS bridged,
      countIf(kind IN ('erc20', 'erc721', 'erc1155') AND from_address = toFixedString('', 20)) AS minted, countIf(kind IN ('wrap', 'unwrap')) AS wrapped,
      countIf(kind IN ('erc20', 'erc721', 'erc1155')) AS moved, groupUniqArrayIf(from_address, kind IN ('erc20', 'erc721', 'erc1155')) AS movers, max(t.value_usd) AS usd
    FROM transfers AS t WHERE chain = {chain:String} AND block_number IN {blocks:Array(UInt64)} AND kind != 'withdrawal' GROUP BY block_number, tx_index
  ) AS m ON m.block_number = p.block_number AND m.tx_index = p.tx_index
);
