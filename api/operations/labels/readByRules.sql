-- What rules say of some addresses, where the evidence stands: of several labels the one whose class says most, then the surest.
-- Grain: one address, no row where no rule says anything. Parameters: chain, addresses (texts). Sort key: rule_labels (chain, address, label).
SELECT r.address AS address, argMax((r.label, r.entity, r.category, r.confidence), (r.rank, r.confidence, r.valid_from, r.label)) AS said,
  said.1 AS label, said.2 AS entity, said.3 AS classification, said.4 AS sure
FROM rule_labels_now AS r
WHERE r.chain = {chain:String} AND r.address IN {addresses:Array(String)}
GROUP BY address
