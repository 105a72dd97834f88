-- Which class clusters of Bitcoin have by their names: addresses of which only the owner is known say nothing of it. However many they were, an exchange or a mixer of which a few have a class was of none, and ended no trail.
-- What the view is for stands in 0069_cluster_owners.sql.
CREATE OR REPLACE VIEW btc_cluster_called AS
SELECT k.chain AS chain, k.name AS name, argMax(k.entity, k.best) AS entity, argMax(k.category, (k.category != 'unknown', k.addresses, k.best)) AS category,
  toUInt8(least(argMax(k.best.1, (k.category != 'unknown', k.addresses, k.best)), 50)) AS sure
FROM (
  SELECT c.chain AS chain, c.name AS name, toString(c.category) AS category, count() AS addresses, max((c.sure, c.precedence, c.valid_from, c.source, c.label, c.address)) AS best, argMax(c.entity, (c.sure, c.precedence, c.valid_from, c.source, c.label, c.address)) AS entity
  FROM btc_cluster_names AS c FINAL WHERE c.name != '' GROUP BY chain, name, category
) AS k
GROUP BY k.chain, k.name;
