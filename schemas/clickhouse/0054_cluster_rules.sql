-- By which rules clusters saw a block (clusterRules): blocks that older rules saw are done again, from the first of them on.
ALTER TABLE btc_cluster_blocks ADD COLUMN IF NOT EXISTS rules UInt16 DEFAULT 1;

-- Rules 2 take what anybody may spend (anchor, witness_unknown) for nobody's: up to the first block that pays or spends such a script they say what rules 1 said.
ALTER TABLE btc_cluster_blocks UPDATE rules = 2 WHERE rules < 2 AND block_number < least(
  ifNull((SELECT minOrNull(block_number) FROM btc_outputs WHERE script_type IN ('anchor', 'witness_unknown')), 18446744073709551615),
  ifNull((SELECT minOrNull(block_number) FROM btc_inputs WHERE script_type IN ('anchor', 'witness_unknown')), 18446744073709551615))
SETTINGS mutations_sync = 1;
