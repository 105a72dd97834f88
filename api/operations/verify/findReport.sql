-- One signed report. Grain: one report. Parameters: hash (SHA-256 of the canonical text, lower-case hex). Sort key: (content_hash).
SELECT r.content_hash AS content_hash, toString(r.kind) AS kind, r.subject AS subject, toString(r.chain) AS chain, r.canonical AS canonical, r.attestation AS attestation, r.created_at AS created_at
FROM reports AS r
WHERE r.content_hash = {hash:String}
ORDER BY r.created_at
LIMIT 1
