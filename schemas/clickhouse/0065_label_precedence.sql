-- Which of two statements that are equally sure counts: what is set by hand in this installation, then what is official, then the rest.

-- Ties of sure are parted by precedence before they are by time.
ALTER TABLE labels ADD COLUMN IF NOT EXISTS precedence UInt8 ALIAS multiIf(level = 'override', 2, official, 1, 0);
ALTER TABLE label_changes ADD COLUMN IF NOT EXISTS precedence UInt8 ALIAS multiIf(level = 'override', 2, official, 1, 0);

-- The best statement per address: the surest, then by precedence, then the newest, then by name. Read by enrich as "known then" and by answers as "known now".
CREATE OR REPLACE VIEW labels_now AS
SELECT chain, address, s.1 AS label, s.2 AS entity, s.3 AS category, s.4 AS source, s.5 AS confidence, s.6 AS sure FROM (
  SELECT l.chain AS chain, l.address AS address, argMax((l.label, l.entity, l.category, l.source, l.confidence, l.sure), (l.sure, l.precedence, l.valid_from, l.source, l.label)) AS s
  FROM labels AS l FINAL WHERE NOT l.removed GROUP BY chain, address
);
SYSTEM RELOAD DICTIONARY {{database}}.label_of;

CREATE OR REPLACE VIEW published_{{database}}.labels (
  chain LowCardinality(String) COMMENT 'Chain id: ETH', address String COMMENT 'Address', label String COMMENT 'Label', entity String COMMENT 'Owner', category LowCardinality(String) COMMENT 'Class',
  source LowCardinality(String) COMMENT 'Source', rule LowCardinality(String) COMMENT 'Rule, where one decided', level LowCardinality(String) COMMENT 'How sure, in words', confidence UInt8 COMMENT '0 to 100',
  official Bool COMMENT 'An authority''s list, or what a service publishes of itself: it goes before all but what is set by hand here', licence LowCardinality(String) COMMENT 'Licence of the source', valid_from DateTime64(3, 'UTC') COMMENT 'Since'
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
  official Bool COMMENT 'An authority''s list, or what a service publishes of itself: it goes before all but what is set by hand here',
  valid_from DateTime64(3, 'UTC') COMMENT 'Since, on the chain', valid_to Nullable(DateTime64(3, 'UTC')) COMMENT 'Until, on the chain; null while it holds'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.address, s.source, s.label, s.version, toString(s.action) AS action, s.at, s.entity, s.category, s.rule, s.level, s.confidence, s.official, s.valid_from, s.valid_to
FROM {{database}}.label_changes AS s
WHERE s.version <= (SELECT max(r.version) FROM {{database}}.label_runs AS r WHERE r.step = 'landed')
COMMENT 'Every change of every statement about an address, in order of version. Sort key chain, address, source, label, version.';
