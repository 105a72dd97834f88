-- Whose word goes first is told apart from how sure it is: what an authority or a service publishes keeps its level of the scale (authority_data, service_data), and official says that it goes before what others found.

-- official: an authority's list, or what a service publishes of itself. sure: how far a score relies on it, 0 to 100, and which of several statements counts.
ALTER TABLE labels ADD COLUMN IF NOT EXISTS official Bool DEFAULT false, ADD COLUMN IF NOT EXISTS sure UInt8 ALIAS if(official, 100, confidence);
ALTER TABLE label_changes ADD COLUMN IF NOT EXISTS official Bool DEFAULT false, ADD COLUMN IF NOT EXISTS sure UInt8 ALIAS if(official, 100, confidence);

-- Listings that were written as set by hand here. What was done before and is done again is done once: they are official then.
INSERT INTO labels (chain, address, label, entity, category, source, rule, confidence, licence, valid_from, removed, version, level, rule_version, valid_to, reference, official)
SELECT chain, address, label, entity, category, source, rule, 60, licence, valid_from, removed, version + 1, 'authority_data', rule_version, valid_to, reference, true
FROM labels FINAL WHERE licence = 'official list' AND level = 'override' AND NOT removed;

-- The best statement per address: the surest, then the newest, then by name. Read by enrich as "known then" and by answers as "known now".
CREATE OR REPLACE VIEW labels_now AS
SELECT chain, address, s.1 AS label, s.2 AS entity, s.3 AS category, s.4 AS source, s.5 AS confidence, s.6 AS sure FROM (
  SELECT l.chain AS chain, l.address AS address, argMax((l.label, l.entity, l.category, l.source, l.confidence, l.sure), (l.sure, l.valid_from, l.source, l.label)) AS s
  FROM labels AS l FINAL WHERE NOT l.removed GROUP BY chain, address
);

-- confidence is sure: processes of the version before rely on it. stated: the confidence of the statement.
CREATE OR REPLACE DICTIONARY label_of (
  chain String, address String, label String, entity String, category String DEFAULT 'unknown', confidence UInt8 DEFAULT 0, sure UInt8 DEFAULT 0, stated UInt8 DEFAULT 0
) PRIMARY KEY chain, address
SOURCE(CLICKHOUSE(QUERY 'SELECT n.chain AS chain, n.address AS address, n.label AS label, n.entity AS entity, n.category AS category, n.sure AS confidence, n.sure AS sure, n.confidence AS stated FROM {{database}}.labels_now AS n' USER '{{user}}' PASSWORD '{{password}}' DB '{{database}}'))
LIFETIME(MIN 0 MAX 0) LAYOUT(COMPLEX_KEY_HASHED());

-- Version 2 of the score, where the operator has made none of that number: as version 1 with sure in place of confidence, in what an address is itself and in its exposures.
INSERT INTO risk_rules (rule, version, decay, own_confidence, severe, high, medium) SELECT 'exposure_score', 2, 0.7, 50, 90, 60, 30 WHERE 2 NOT IN (SELECT version FROM risk_rules WHERE rule = 'exposure_score');
INSERT INTO risk_weights (rule, version, category, weight)
SELECT 'exposure_score', 2, w.1, w.2 FROM (SELECT arrayJoin([('sanctioned', 1.), ('extremism', 1.), ('hack', 0.95), ('ransomware', 0.95), ('blacklisted', 0.9), ('market', 0.9), ('scam', 0.8), ('mixer', 0.7), ('gambling', 0.4)]) AS w)
WHERE 2 NOT IN (SELECT version FROM risk_weights WHERE rule = 'exposure_score');

CREATE OR REPLACE VIEW published_{{database}}.labels (
  chain LowCardinality(String) COMMENT 'Chain id: ETH', address String COMMENT 'Address', label String COMMENT 'Label', entity String COMMENT 'Owner', category LowCardinality(String) COMMENT 'Class',
  source LowCardinality(String) COMMENT 'Source', rule LowCardinality(String) COMMENT 'Rule, where one decided', level LowCardinality(String) COMMENT 'How sure, in words', confidence UInt8 COMMENT '0 to 100',
  official Bool COMMENT 'An authority''s list, or what a service publishes of itself: it goes before the rest', licence LowCardinality(String) COMMENT 'Licence of the source', valid_from DateTime64(3, 'UTC') COMMENT 'Since'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.address, s.label, s.entity, s.category, s.source, s.rule, s.level, s.confidence, s.official, s.licence, s.valid_from
FROM {{database}}.labels AS s FINAL
WHERE NOT s.removed
COMMENT 'What sources say about addresses. Grain: one statement of one source. Sort key chain, address: a filter on both is cheap.';

CREATE OR REPLACE VIEW published_{{database}}.label_changes (
  chain LowCardinality(String) COMMENT 'Chain id: ETH', address String COMMENT 'Address', source LowCardinality(String) COMMENT 'Register, import, or rules',
  label String COMMENT 'Label', version UInt64 COMMENT 'Run that noted it; the newest counts', action String COMMENT 'added, changed, removed',
  at DateTime64(3, 'UTC') COMMENT 'Known here since', entity String COMMENT 'Owner', category LowCardinality(String) COMMENT 'Class',
  rule LowCardinality(String) COMMENT 'Rule, where one decided', level LowCardinality(String) COMMENT 'How sure, in words', confidence UInt8 COMMENT '0 to 100',
  official Bool COMMENT 'An authority''s list, or what a service publishes of itself: it goes before the rest',
  valid_from DateTime64(3, 'UTC') COMMENT 'Since, on the chain', valid_to Nullable(DateTime64(3, 'UTC')) COMMENT 'Until, on the chain; null while it holds'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.address, s.source, s.label, s.version, toString(s.action) AS action, s.at, s.entity, s.category, s.rule, s.level, s.confidence, s.official, s.valid_from, s.valid_to
FROM {{database}}.label_changes AS s
WHERE s.version <= (SELECT max(r.version) FROM {{database}}.label_runs AS r WHERE r.step = 'landed')
COMMENT 'Every change of every statement about an address, in order of version. Sort key chain, address, source, label, version.';
