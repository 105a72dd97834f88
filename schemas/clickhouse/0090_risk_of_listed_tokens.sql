-- Shares of risk, direct and by trails, are of what moved in the coin and listed tokens, and only that weighs: a token that is not listed says what it likes of anybody, at what its maker's pool says.
-- exposure_score, version 3: the numbers of version 2, whoever set them; a newer version that an operator made stays the newest, and one of that number as it is.
INSERT INTO risk_weights (rule, version, category, weight)
SELECT w.rule, 3, w.category, w.weight FROM risk_weights AS w FINAL WHERE w.rule = 'exposure_score' AND w.version = 2 AND 3 NOT IN (SELECT k.version FROM risk_weights AS k WHERE k.rule = 'exposure_score');
INSERT INTO risk_rules (rule, version, decay, own_confidence, severe, high, medium)
SELECT r.rule, 3, r.decay, r.own_confidence, r.severe, r.high, r.medium FROM risk_rules AS r FINAL WHERE r.rule = 'exposure_score' AND r.version = 2 AND 3 NOT IN (SELECT k.version FROM risk_rules AS k WHERE k.rule = 'exposure_score');
