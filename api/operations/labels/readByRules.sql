-- What rules say of some addresses, where the evidence stands: of several labels what an address is before that it is a contract, that before what it does, then the surest.
-- Grain: one address, no row where no rule says anything. Parameters: chain, addresses (texts). Sort key: label_changes (chain, address, source, label, version).
SELECT d.address AS address, argMax((d.label, d.entity, toString(d.category), d.confidence), (multiIf(d.category IN ('whale', 'fresh'), 0, d.category = 'contract', 1, 2), d.confidence, d.valid_from, d.label)) AS said,
  said.1 AS label, said.2 AS entity, said.3 AS classification, said.4 AS confidence
FROM derived_labels AS d
WHERE d.chain = {chain:String} AND d.address IN (SELECT arrayJoin({addresses:Array(String)})) AND NOT d.cut
GROUP BY address
