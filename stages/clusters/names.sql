-- Names that labels give addresses otherwise than when clusters last looked. Grain: one address. Parameters: chain.
-- The surest statement that names an entity counts. Names are compared without case, blanks and signs. labels has tens of thousands of rows and is
-- read whole; its addresses are texts, or ids in hex. Sort key: btc_cluster_names (chain, address).
WITH said AS (
  SELECT address, argMax((entity, category, source, confidence), (s.sure, s.precedence, s.valid_from, s.source, s.label)) AS best FROM (
    SELECT if(match(l.address, '^0x[0-9a-f]{40}$'), toFixedString(unhex(substring(l.address, 3, 40)), 20), toFixedString(substring(SHA256(l.address), 1, 20), 20)) AS address,
      l.label AS label, l.entity AS entity, l.category AS category, toString(l.source) AS source, l.confidence AS confidence, l.sure AS sure, l.precedence AS precedence, l.valid_from AS valid_from
    FROM labels AS l FINAL WHERE l.chain = {chain:String} AND NOT l.removed
  ) AS s WHERE lower(replaceRegexpAll(s.entity, '[^\\p{L}\\p{N}]', '')) != ''
  GROUP BY address
), held AS (SELECT address, name, entity, category, source, confidence FROM btc_cluster_names FINAL WHERE chain = {chain:String})
SELECT lower(hex(address)) AS address, lower(replaceRegexpAll(entity, '[^\\p{L}\\p{N}]', '')) AS name, entity, category, source, confidence FROM (
  SELECT if(s.found, s.address, h.address) AS address, s.best.1 AS entity, s.best.2 AS category, s.best.3 AS source, s.best.4 AS confidence,
    s.found AND (h.entity, toString(h.category), toString(h.source), h.confidence) = (s.best.1, toString(s.best.2), s.best.3, s.best.4) OR NOT s.found AND h.name = '' AS same
  FROM (SELECT *, true AS found FROM said) AS s FULL OUTER JOIN held AS h ON h.address = s.address
) WHERE NOT same
