-- The keys this installation attests with, the oldest first; the last is the one it signs with.
-- Grain: one key. Parameters: none. Sort key: secrets (name).
SELECT substring(name, length('attestation/ed25519/') + 1) AS key_id, argMin(value, created_at) AS private_key, min(s.created_at) AS made
FROM secrets AS s
WHERE startsWith(name, 'attestation/ed25519/')
GROUP BY name
ORDER BY made, key_id
