-- The alert rules and from which value on they speak. Grain: one rule on one chain. Parameters: none. The table is a handful of rows.
SELECT rule, chain, argMax(t.threshold, t.version) AS threshold, argMax(t.unit, t.version) AS unit, argMax(t.severity, t.version) AS severity
FROM alert_thresholds AS t GROUP BY chain, rule ORDER BY chain, rule
