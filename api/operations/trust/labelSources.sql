-- Labels by chain and source, with the newest load of the register they came from. Grain: one source of one chain. Parameters: none.
-- Sort key of labels: (chain, address, source, label), read whole; the answer is kept for minutes.
SELECT l.chain AS chain, l.source AS source, l.licence AS licence, l.labels AS labels, l.addresses AS addresses,
  nullIf(r.version, '') AS version, nullIf(r.sha256, '') AS sha256, if(r.register = '', NULL, toNullable(r.loaded)) AS loaded_at
FROM (
  SELECT toString(chain) AS chain, toString(source) AS source, any(toString(licence)) AS licence, toFloat64(count()) AS labels, toFloat64(uniqExact(address)) AS addresses
  FROM labels FINAL WHERE NOT removed GROUP BY chain, source
) AS l
LEFT JOIN (
  SELECT toString(register) AS register, argMax(version, loaded_at) AS version, argMax(sha256, loaded_at) AS sha256, max(loaded_at) AS loaded FROM register_loads GROUP BY register
) AS r ON r.register = l.source
ORDER BY l.chain, l.source
