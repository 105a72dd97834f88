-- How many names of owners the registers and imports have. Grain: one row. Parameters: none. labels is small and read whole.
SELECT toFloat64(uniqExact(lowerUTF8(l.entity))) AS searched FROM labels AS l FINAL WHERE NOT l.removed AND l.entity != ''
