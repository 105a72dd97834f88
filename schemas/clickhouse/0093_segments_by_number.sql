-- A reorg looks for what was computed of the newest segments, and takes it away while the chain waits. segment is the last column of these sort keys: each look read every row of the
-- table. Parts and granules of other segments are left out by this index; parts that stand get it in the background. (top_segments lies in the order of segments.)
ALTER TABLE address_segments ADD INDEX IF NOT EXISTS by_segment segment TYPE minmax GRANULARITY 1;
ALTER TABLE entity_token_segments ADD INDEX IF NOT EXISTS by_segment segment TYPE minmax GRANULARITY 1;
ALTER TABLE token_segments ADD INDEX IF NOT EXISTS by_segment segment TYPE minmax GRANULARITY 1;
ALTER TABLE pair_segments ADD INDEX IF NOT EXISTS by_segment segment TYPE minmax GRANULARITY 1;
ALTER TABLE class_segments ADD INDEX IF NOT EXISTS by_segment segment TYPE minmax GRANULARITY 1;
ALTER TABLE address_segments MATERIALIZE INDEX by_segment;
ALTER TABLE entity_token_segments MATERIALIZE INDEX by_segment;
ALTER TABLE token_segments MATERIALIZE INDEX by_segment;
ALTER TABLE pair_segments MATERIALIZE INDEX by_segment;
ALTER TABLE class_segments MATERIALIZE INDEX by_segment;
