-- One signed report with the secret it was signed under ('' where that is gone).
-- Grain: one report. Parameters: hash (SHA-256 of the canonical text, lower-case hex). Sort key: (content_hash); secrets (name).
SELECT r.content_hash AS content_hash, toString(r.kind) AS kind, r.subject AS subject, toString(r.chain) AS chain, r.canonical AS canonical, r.signature AS signature, toString(r.key_name) AS key_name, r.created_at AS created_at,
  (SELECT argMin(s.value, s.created_at) FROM secrets AS s WHERE s.name = (SELECT any(key_name) FROM reports WHERE content_hash = {hash:String})) AS secret
FROM reports AS r
WHERE r.content_hash = {hash:String}
ORDER BY r.created_at
LIMIT 1
