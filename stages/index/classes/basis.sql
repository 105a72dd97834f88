-- What a run of the rules would see: the newest block, what landed and was deleted so far, and what registers were loaded. Two equal ones give equal labels.
-- Grain: one row. Parameters: chain. Sort keys: blocks and batches (chain, …), rollbacks_applied (chain, …).
SELECT toFloat64((SELECT max(b.block_number) FROM blocks AS b WHERE b.chain = {chain:String})) AS height, toFloat64((SELECT max(r.epoch) FROM rollbacks_applied AS r WHERE r.chain = {chain:String})) AS epoch,
  concat(toString(height), ' ', toString((SELECT (count(), max(l.finished_at)) FROM batches AS l WHERE l.chain = {chain:String} AND l.stage = 'index')), ' ', toString(epoch), ' ', toString((SELECT (count(), max(g.loaded_at)) FROM register_loads AS g)),
    ' ', {rules:String}) AS basis
