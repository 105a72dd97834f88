-- What some addresses moved, as a plain table whose key finds it: what a lookup takes before anything is live, named or checked. Grain: one side of one movement.
-- Parameter: addresses (hex with 0x). Sort key: address_transfers (chain, address, …).
CREATE TABLE floor_transfers ENGINE = MergeTree ORDER BY (address, block_number) SETTINGS index_granularity = 1024 AS
SELECT address, block_number, block_time, tx_hash, other, token, amount, value_usd FROM address_transfers
WHERE chain = 'ETH' AND address IN (SELECT toFixedString(unhex(substring(arrayJoin({addresses:Array(String)}), 3)), 20))
