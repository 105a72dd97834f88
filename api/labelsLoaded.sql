-- When the labels in memory (label_of) were loaded, and what time it is there, in seconds: 0 where they are not. Grain: one row. No parameters.
SELECT toUnixTimestamp(d.last_successful_update_time) AS loaded, toUnixTimestamp(now()) AS now FROM system.dictionaries AS d WHERE d.database = currentDatabase() AND d.name = 'label_of'
