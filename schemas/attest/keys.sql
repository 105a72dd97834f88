-- The keys this installation attests with, the oldest first; the last is the one it signs with.
-- Grain: one key: an Ed25519 pair and an HMAC secret. Parameters: none. Sort key: secrets (name).
SELECT splitByChar('/', name)[3] AS key_id, argMinIf(value, s.created_at, startsWith(name, 'attestation/ed25519/')) AS private_key,
  argMinIf(value, s.created_at, startsWith(name, 'attestation/hmac/')) AS hmac_secret, min(s.created_at) AS made
FROM secrets AS s
WHERE startsWith(name, 'attestation/')
GROUP BY key_id
HAVING private_key != ''
ORDER BY made, key_id
