-- Marks as removed what a register said in an earlier load and says no longer. Grain: one label. Parameters: source, version (of this load).
-- A source has at most tens of thousands of labels, and this runs once for each new version of a register.
INSERT INTO labels (chain, address, label, entity, category, source, rule, confidence, licence, valid_from, removed, version, level, rule_version, valid_to, reference, official)
SELECT chain, address, label, entity, category, source, rule, confidence, licence, valid_from, true AS removed, {version:UInt64} AS version, level, rule_version, valid_to, reference, official
FROM labels AS l FINAL
WHERE l.source = {source:String} AND l.version < {version:UInt64} AND NOT l.removed
