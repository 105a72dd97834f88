-- What rules say of some addresses, where the evidence stands: of several labels the one whose class says most, then the surest.
-- Grain: one address, no row where no rule says anything. Parameters: chain, addresses (texts, some hundred). Sort key: rule_labels (chain, address, label); deletion_cuts is small, and weighed row by row.
WITH (SELECT (groupArray(d.epoch), groupArray(d.cut)) FROM (SELECT c.epoch AS epoch, c.cut AS cut FROM deletion_cuts AS c WHERE c.chain = {chain:String} ORDER BY epoch) AS d) AS deletions
SELECT r.address AS address, argMax((r.label, r.entity, r.category, r.confidence), (r.rank, r.confidence, r.valid_from, r.label)) AS said,
  said.1 AS label, said.2 AS entity, said.3 AS classification, said.4 AS sure
FROM rule_labels_held AS r
WHERE r.chain = {chain:String} AND r.address IN {addresses:Array(String)}
  AND ((arrayFirstIndex(epoch -> epoch > r.epoch, deletions.1) AS later) = 0 OR r.last_block < deletions.2[later])
GROUP BY address
