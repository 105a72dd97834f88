-- counted_as: how a list of top_segments was counted. 1: with payments to oneself, as processes of the version before do; what they added cannot be told from a list, so
-- such a segment is read from its transfers until a batch that touches it writes it anew. 2: without them.
ALTER TABLE top_segments ADD COLUMN IF NOT EXISTS counted_as UInt8 DEFAULT 1;
