-- How far the ledger has grown: numbers that change whenever a batch lands or blocks are deleted (landed), and a plan is made (planned). Grain: one row.
-- Parameters: venues, whose segments land every second and change nothing that is remembered for longer. Sort keys: batches, plans and rollbacks_applied (chain, …).
SELECT toFloat64((SELECT count() FROM batches WHERE chain NOT IN {venues:Array(String)}) + (SELECT count() FROM rollbacks_applied WHERE chain NOT IN {venues:Array(String)})) AS landed,
  toFloat64((SELECT count() FROM plans WHERE chain NOT IN {venues:Array(String)})) AS planned
SETTINGS max_threads = 1
