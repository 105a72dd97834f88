/**
 * Keys this installation attests with. Each is an Ed25519 pair and an HMAC secret of one key id; the newest signs, all of them verify for ever.
 * The private halves stay in the table of secrets; the public ones are published at /attestation.
 */
import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto'
import { z } from 'zod'
import type { Store } from '../clickhouse.js'
import { AppError } from '../errors.js'
import { loadSql } from '../sql.js'
import { thumbprintOf } from './publicKeys.js'

const keys = loadSql(import.meta.url, 'keys.sql')
const Row = z.object({ key_id: z.string(), private_key: z.string(), hmac_secret: z.string(), made: z.string() })
type Row = z.infer<typeof Row>

/** The public half. key_id is the JWK thumbprint (RFC 7638) of the key; retired_at null: it signs now. */
export interface PublicKey {
  readonly key_id: string; readonly algorithm: 'Ed25519'; readonly state: 'active' | 'retired'; readonly created_at: string; readonly retired_at: string | null
  readonly jwk: { readonly kty: 'OKP'; readonly crv: 'Ed25519'; readonly x: string; readonly kid: string; readonly use: 'sig'; readonly alg: 'EdDSA' }
  readonly pem: string
}

/** One key, for signing: `point` is its public half in base64url; signatures are lower-case hex. */
export interface Signer { readonly key_id: string; readonly point: string; ed25519(text: string): string; hmac(text: string): string }

export interface Attestation {
  /** Every key there ever was, the newest first, as the store has them now. */
  published(): Promise<readonly PublicKey[]>
  /** As published, read for all who ask within 2 s: a rotation by another process shows that much later at most. */
  shown(): Promise<readonly PublicKey[]>
  /** Ed25519 signature of `text` under the newest key, in base64url, and that key's id. */
  sign(text: string): Promise<{ readonly key_id: string; readonly signature: string }>
  /** Whether `signature` (base64url) is that of `text` under the key `keyId`; null: no such key was made here. */
  verify(keyId: string, text: string, signature: string): Promise<boolean | null>
  /** The newest key. */
  signer(): Promise<Signer>
  /** HMAC-SHA256 of `text` under the secret of the key `keyId`, in hex; null: no such key was made here. */
  hmac(keyId: string, text: string): Promise<string | null>
  /** Makes a new key, which signs from now on. */
  rotate(): Promise<PublicKey>
}

const privateOf = ({ private_key: text }: Row) => createPrivateKey({ key: Buffer.from(text, 'base64url'), format: 'der', type: 'pkcs8' })
const pointOf = (key: ReturnType<typeof createPublicKey>): string => key.export({ format: 'jwk' }).x ?? ''
const hmacOf = ({ hmac_secret: secret }: Row, text: string): string => createHmac('sha256', Buffer.from(secret, 'base64url')).update(text).digest('hex')
const signerOf = (row: Row): Signer => {
  const key = privateOf(row)
  return { key_id: row.key_id, point: pointOf(createPublicKey(key)), ed25519: (text) => sign(null, Buffer.from(text), key).toString('hex'), hmac: (text) => hmacOf(row, text) }
}

const publicOf = (row: Row, next: Row | undefined): PublicKey => {
  const key = createPublicKey(privateOf(row))
  return {
    key_id: row.key_id, algorithm: 'Ed25519', state: next === undefined ? 'active' : 'retired', created_at: row.made, retired_at: next?.made ?? null,
    jwk: { kty: 'OKP', crv: 'Ed25519', x: pointOf(key), kid: row.key_id, use: 'sig', alg: 'EdDSA' }, pem: key.export({ format: 'pem', type: 'spki' }).toString(),
  }
}

const showMs = 2_000

/** The keys in `store`; the first is made where there is none. */
export const openAttestation = async (store: Store, now: () => number = Date.now): Promise<Attestation> => {
  const rows = (): Promise<Row[]> => store.query(keys, {}, Row)
  const make = async (write: (rows: readonly object[]) => Promise<void>): Promise<string> => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const [id, at] = [thumbprintOf(pointOf(publicKey)), new Date().toISOString()]
    const secrets = [['ed25519', privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url')], ['hmac', randomBytes(32).toString('base64url')]]
    await write(secrets.map(([kind, value]) => ({ name: `attestation/${kind ?? ''}/${id}`, value, created_at: at })))
    return id
  }
  const published = async (): Promise<PublicKey[]> => {
    const all = await rows()
    return all.map((row, index) => publicOf(row, all[index + 1])).reverse()
  }
  let last: { readonly at: number; readonly keys: Promise<readonly PublicKey[]> } | null = null
  const shown = (): Promise<readonly PublicKey[]> => {
    if (last !== null && now() - last.at < showMs) return last.keys
    const read = { at: now(), keys: published() }
    last = read
    // What failed is asked for again.
    read.keys.catch(() => { if (last === read) last = null })
    return read.keys
  }
  // Several processes may start at once: one token, so one of them wins and all use its key.
  const isThere = async (): Promise<boolean> => (await rows()).length > 0
  if (!await isThere()) await make((made) => store.insertSurely('secrets', made, 'attestation-first', isThere))
  const signer = async (): Promise<Signer> => {
    const newest = (await rows()).at(-1)
    if (newest === undefined) throw new AppError('NO_ATTESTATION_KEY', 'The key that attests is gone from the store', { status: 500, retry: 'attempt' })
    return signerOf(newest)
  }
  return {
    published, shown, signer,
    sign: async (text) => {
      const { key_id: id, ed25519 } = await signer()
      return { key_id: id, signature: Buffer.from(ed25519(text), 'hex').toString('base64url') }
    },
    hmac: async (keyId, text) => {
      const row = (await rows()).find(({ key_id: id }) => id === keyId)
      return row === undefined || row.hmac_secret === '' ? null : hmacOf(row, text)
    },
    verify: async (keyId, text, signature) => {
      const row = (await rows()).find(({ key_id: id }) => id === keyId)
      return row === undefined ? null : verify(null, Buffer.from(text), createPublicKey(privateOf(row)), Buffer.from(signature, 'base64url'))
    },
    rotate: async () => {
      const id = await make((rows) => store.insert('secrets', rows))
      last = null
      const made = (await published()).find(({ key_id: one }) => one === id)
      if (made === undefined) throw new AppError('NO_ATTESTATION_KEY', 'The key that was made cannot be read back', { status: 500, retry: 'attempt' })
      return made
    },
  }
}
