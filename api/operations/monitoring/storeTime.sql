-- The store's clock, by which it is told when something landed. Grain: one row. Parameters: none. Sort keys: none, no table is read.
SELECT toFloat64(toUnixTimestamp64Milli(now64(3))) AS now
