-- The newest version of the rule that scores risk, with what categories weigh. Grain: one row. Parameters: rule. risk_rules and risk_weights are small and read whole.
SELECT r.rule AS rule, r.version AS version, r.decay AS decay, r.own_confidence AS own_confidence, r.severe AS severe, r.high AS high, r.medium AS medium, w.weights AS weights
FROM (SELECT * FROM risk_rules FINAL WHERE rule = {rule:String} ORDER BY version DESC LIMIT 1) AS r
INNER JOIN (SELECT k.version AS version, groupArray((k.category, k.weight)) AS weights FROM risk_weights AS k FINAL WHERE k.rule = {rule:String} GROUP BY version) AS w ON w.version = r.version
