-- Classes that registers and imports give to addresses, and to how many. Grain: one class. Parameters: none. labels is small and read whole.
SELECT toString(l.category) AS classification, toFloat64(uniqExact(l.chain, l.address)) AS addresses
FROM labels AS l FINAL WHERE NOT l.removed AND l.category NOT IN ('', 'unknown')
GROUP BY l.category
ORDER BY classification
