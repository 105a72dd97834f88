-- Community lists that report abuse on one chain, each with what of it is in force and its newest load (of those of one moment the one whose version sorts last). Grain: one list. Parameters: chain, classes.
-- Sort key of labels: (chain, address, source, label), one chain read through; the answer is kept for half a minute.
SELECT a.source AS source, a.addresses AS addresses, nullIf(r.newest.2, '') AS version, nullIf(r.newest.3, '') AS sha256, if(r.register = '', NULL, toNullable(r.newest.1)) AS loaded_at
FROM (
  SELECT toString(l.source) AS source, toFloat64(uniqExact(l.address)) AS addresses FROM labels AS l FINAL
  WHERE l.chain = {chain:String} AND toString(l.category) IN {classes:Array(String)} AND NOT l.removed GROUP BY source
) AS a
LEFT JOIN (SELECT toString(register) AS register, max((loaded_at, version, sha256)) AS newest FROM register_loads GROUP BY register) AS r ON r.register = a.source
ORDER BY a.source
