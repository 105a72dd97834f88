-- What an account had before an hour in which it opened something is measured by the hour, beside what is measured of the window (0026): a position is held against the capital of then, not against a mean
-- that what came later is part of. Grain of hl_measured: one metric of one account, in one hour since 1970 where hour says so, else of the window.
ALTER TABLE hl_measured ADD COLUMN IF NOT EXISTS hour UInt32 DEFAULT 0;

INSERT INTO hl_trader_rules SELECT 'insider', 3, numbers, concat(says, '; size by what the account had when it opened the position') FROM hl_trader_rules WHERE rule = 'insider' AND version = 2 LIMIT 1;
