-- What rules say of some addresses, where the evidence stands: of several labels what an address is before that it is a contract, that before what it does, then the surest.
-- Grain: one address, no row where no rule says anything. Parameters: chain, addresses (texts). Sort keys: rule_labels (chain, address, label); rollbacks_applied is small.
WITH (SELECT groupArray((d.epoch, d.from_block)) FROM rollbacks_applied AS d WHERE d.chain = {chain:String} AND d.step = 'deleted') AS deleted
SELECT r.address AS address, argMax((r.label, r.entity, toString(r.category), r.confidence), (multiIf(r.category IN ('whale', 'fresh'), 0, r.category = 'contract', 1, 2), r.confidence, r.valid_from, r.label)) AS said,
  said.1 AS label, said.2 AS entity, said.3 AS classification, said.4 AS confidence
FROM rule_labels AS r FINAL
WHERE r.chain = {chain:String} AND r.address IN {addresses:Array(String)} AND NOT r.removed AND NOT arrayExists(gone -> gone.1 > r.epoch AND gone.2 <= r.last_block, deleted)
GROUP BY address
