-- What an operator transcribed from annexes of a list that no program reads: CSV with the columns of the bundled transcription. Grain: one transcription;
-- of an order that stands in several the newest counts.
CREATE TABLE IF NOT EXISTS sanctions_annexes (
  register LowCardinality(String), added_at DateTime64(3, 'UTC'), sha256 String, text String
) ENGINE = MergeTree ORDER BY (register, added_at)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;
