-- What of the ledger stands, with one comparison for each row of it; it was one with every rollback there ever was.

-- Rollbacks are few among the rows of a plan, and of a venue there are none: where none is, nothing of it is read to find them. And what landed lately is found by its time.
ALTER TABLE plans ADD INDEX IF NOT EXISTS by_kind kind TYPE minmax GRANULARITY 1;
ALTER TABLE plans MATERIALIZE INDEX by_kind;
ALTER TABLE batches ADD INDEX IF NOT EXISTS by_finished finished_at TYPE minmax GRANULARITY 1;
ALTER TABLE batches MATERIALIZE INDEX by_finished;

-- Batches that are live: planned and not ended by a later rollback. Grain: one batch. Narrow it by chain, and by from_block or to_block, which have indexes.
-- cut: the lowest block that any rollback from one on reaches; that of the first behind a batch says what all behind it have left of it.
CREATE OR REPLACE VIEW live_batches AS
SELECT p.chain AS chain, p.seq AS seq, p.from_block AS from_block, p.to_block AS to_block, p.hash AS hash, p.parent_hash AS parent_hash, p.generation AS generation,
  p.target AS target, p.floor AS floor, p.at AS planned_at
FROM plans AS p
ASOF LEFT JOIN (
  SELECT e.chain AS chain, e.seq AS seq, min(e.from_block) OVER (PARTITION BY e.chain ORDER BY e.seq DESC) AS cut FROM plans AS e WHERE e.kind = 'rollback'
) AS r ON r.chain = p.chain AND r.seq > p.seq
WHERE p.kind = 'plan' AND (r.seq = 0 OR p.to_block < r.cut);
