-- What labels say of addresses otherwise than when clusters last looked. Grain: one address. Parameters: chain.
-- The surest statement that names an entity counts, and comes with all that such statements are chosen by. Names are compared without case, blanks and signs; renamed: the name is another.
-- labels has tens of thousands of rows and is read whole; its addresses are texts, or ids in hex. Sort key: btc_cluster_names (chain, address).
WITH said AS (
  SELECT address, argMax((entity, category, source, confidence, label, sure, precedence, valid_from), (s.sure, s.precedence, s.valid_from, s.source, s.label)) AS best FROM (
    SELECT if(match(l.address, '^0x[0-9a-f]{40}$'), toFixedString(unhex(substring(l.address, 3, 40)), 20), toFixedString(substring(SHA256(l.address), 1, 20), 20)) AS address,
      l.label AS label, l.entity AS entity, toString(l.category) AS category, toString(l.source) AS source, l.confidence AS confidence, l.sure AS sure, l.precedence AS precedence, l.valid_from AS valid_from
    FROM labels AS l FINAL WHERE l.chain = {chain:String} AND NOT l.removed
  ) AS s WHERE lower(replaceRegexpAll(s.entity, '[^\\p{L}\\p{N}]', '')) != ''
  GROUP BY address
), held AS (
  SELECT address, name, (entity, toString(category), toString(source), confidence, label, sure, precedence, valid_from) AS last FROM btc_cluster_names FINAL WHERE chain = {chain:String}
)
SELECT lower(hex(address)) AS address, lower(replaceRegexpAll(best.1, '[^\\p{L}\\p{N}]', '')) AS name, name != was AS renamed, best.1 AS entity, best.2 AS category, best.3 AS source, best.4 AS confidence,
  best.5 AS label, best.6 AS sure, best.7 AS precedence, toFloat64(toUnixTimestamp64Milli(best.8)) AS valid_from
FROM (
  SELECT if(s.found, s.address, h.address) AS address, s.best AS best, h.name AS was, if(s.found, h.last = s.best, h.name = '') AS same
  FROM (SELECT *, true AS found FROM said) AS s FULL OUTER JOIN held AS h ON h.address = s.address
) WHERE NOT same
