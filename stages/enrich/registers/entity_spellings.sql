-- How the names of entities are spelled by whoever named them first; of names that were stored in several spellings before, the one of most addresses.
-- Grain: one name, whatever its case. Parameters: none: names are few, and labels is small and read whole. What was removed counts: movements are stored under its spelling.
SELECT argMax(s.entity, (s.addresses, s.entity)) AS spelling
FROM (SELECT l.entity AS entity, uniqExact(l.chain, l.address) AS addresses FROM labels AS l WHERE l.entity != '' GROUP BY entity) AS s
GROUP BY lowerUTF8(s.entity)
