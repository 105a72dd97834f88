-- Secrets of webhooks that were followed by more than one: until when each of them is good, the newest first. The one before the current has previous_until.
ALTER TABLE webhooks ADD COLUMN IF NOT EXISTS earlier_until Array(DateTime64(3, 'UTC'));

-- Up to which landing transfers of watched addresses were told, so that the feed goes on there however long it was away. Grain: the newest at of a chain counts.
CREATE TABLE IF NOT EXISTS watch_progress (
  chain LowCardinality(String), told_to DateTime64(6, 'UTC'), at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(at) ORDER BY chain
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;
