-- What was loaded last of each register, in one number that is another one when any of them has changed. Grain: one row. Parameters: none. The table is small and read whole.
SELECT toString(groupBitXor(cityHash64(register, content))) AS stamp FROM (SELECT toString(r.register) AS register, argMax(r.sha256, r.loaded_at) AS content FROM register_loads AS r GROUP BY r.register)
