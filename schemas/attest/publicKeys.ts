/** Public halves of attestation keys as verifiers are given them: the point of Ed25519 in base64url, named by its thumbprint. */
import { createHash, createPublicKey, verify } from 'node:crypto'
import { AppError } from '../errors.js'

/** Key id of a point: its JWK thumbprint (RFC 7638), SHA-256 of the required members in alphabetical order. */
export const thumbprintOf = (point: string): string => createHash('sha256').update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x: point })).digest('base64url')

const isPoint = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text) && Buffer.from(text, 'base64url').toString('base64url') === text
const keyOf = (point: string) => createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: point }, format: 'jwk' })

/** Whether `signature` (lower-case hex) is that of `text` under `point`; what is malformed is not. */
export const isSignedBy = (point: string, text: string, signature: string): boolean => {
  if (!isPoint(point) || !/^[0-9a-f]{128}$/.test(signature)) return false
  try { return verify(null, Buffer.from(text), keyOf(point), Buffer.from(signature, 'hex')) } catch { return false }
}

const found = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(found)
  if (typeof value !== 'object' || value === null) return []
  const { x, jwk, keys, public_keys: published } = value as Record<string, unknown>
  return typeof x === 'string' && isPoint(x) ? [x] : [jwk, keys, published].flatMap(found)
}

/** Points in `text`: a PEM, a JWK, a set of them, the document at /attestation, or the bare point in base64url. Throws where it holds none. */
export const pointsIn = (text: string): string[] => {
  const given = text.trim()
  if (isPoint(given)) return [given]
  const points = (() => {
    try {
      if (!given.startsWith('-----BEGIN PUBLIC KEY-----')) return found(JSON.parse(given))
      const { crv, x } = createPublicKey(given).export({ format: 'jwk' })
      return crv === 'Ed25519' && x !== undefined && isPoint(x) ? [x] : []
    } catch { return [] }
  })()
  if (points.length === 0) throw new AppError('BAD_KEY', 'That is no Ed25519 public key: a PEM, a JWK, the document at /attestation or the 43 characters of the key were expected')
  return points
}
