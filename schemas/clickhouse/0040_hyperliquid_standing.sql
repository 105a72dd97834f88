-- Positions and margins of all accounts that are tracked are asked for every minute, and signals read them by time: parts and granules of other times are left out. They show how things stood,
-- as contexts do, and are kept as long; the newest of each account stands in hl_newest_positions and hl_newest_accounts.
ALTER TABLE hl_positions ADD INDEX IF NOT EXISTS by_time time TYPE minmax GRANULARITY 1;
ALTER TABLE hl_accounts ADD INDEX IF NOT EXISTS by_time time TYPE minmax GRANULARITY 1;
ALTER TABLE hl_positions MODIFY SETTING ttl_only_drop_parts = 1;
ALTER TABLE hl_positions MODIFY TTL toDateTime(heard_at) + INTERVAL 62 DAY;
ALTER TABLE hl_accounts MODIFY SETTING ttl_only_drop_parts = 1;
ALTER TABLE hl_accounts MODIFY TTL toDateTime(heard_at) + INTERVAL 62 DAY;
