-- Who leads and who moves much, by what rules say of an address as well as by what registers and imports do.

-- A leader has no excluded class now, whoever says so: a register, an import, or a rule that derives classes. So the classes are those that are given.
INSERT INTO leader_rules SELECT
  'smart_trader', 2, min_closed, min_tokens, min_volume_usd, max_trades_per_day, max_same_block_share, max_unknown_share, max_best_share, top_share, most_leaders, wash_churn, wash_trips, wash_min_usd, wash_result_share, in_force_after,
  ['exchange', 'exchange_hot', 'exchange_cold', 'exchange_deposit', 'dex', 'lending', 'bridge', 'mixer', 'token', 'stablecoin', 'contract', 'miner', 'service', 'mev_bot']
FROM leader_rules FINAL WHERE rule = 'smart_trader' AND version = 1;

-- Addresses that rules gave a label, as of a run of the rules (version); not those whose evidence was deleted with its blocks since. Grain: one address.
-- Parameters: chain, label, run. Sort key: label_changes (chain, address, source, label, version), by chain; one text of source and label is read of each address.
CREATE VIEW IF NOT EXISTS addresses_by_rule AS
SELECT c.address AS address, argMax((c.action, c.epoch, c.last_block), c.version) AS said
FROM label_changes AS c
WHERE c.chain = {chain:String} AND c.source = 'rules' AND c.label = {label:String} AND c.version <= {run:UInt64}
GROUP BY address
HAVING said.1 != 'removed'
  AND NOT arrayExists(deleted -> deleted.1 > said.2 AND deleted.2 <= said.3, (SELECT groupArray((d.epoch, d.from_block)) FROM rollbacks_applied AS d WHERE d.chain = {chain:String} AND d.step = 'deleted'));
