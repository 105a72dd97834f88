/** Access keys: the truth is in ClickHouse; a process remembers a key for under 5 s, so a revocation reaches every process within that. */
import { randomInt, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Store } from '../schemas/clickhouse.js'
import { loadSql } from '../schemas/sql.js'
import { hashOf, makeKey, publicIdOf } from './keyFormat.js'
import { adminScopes, keyLifetimeDays } from './tiers.js'

const findKey = loadSql(import.meta.url, 'findKey.sql')
const insertKey = loadSql(import.meta.url, 'insertKey.sql')
const countKeys = loadSql(import.meta.url, 'countKeys.sql')

const KeyRow = z.object({
  id: z.coerce.number(), public_id: z.string(), secret_hash: z.string(), name: z.string(), role: z.enum(['agent', 'admin', 'operator']), tier: z.string(),
  rate_limit: z.number(), daily_cap: z.coerce.number(), scopes: z.array(z.string()), source_ip: z.string(), created_at: z.string(), expires_at: z.string(),
  revoked_at: z.string().nullable(), version: z.coerce.number(),
})
/** One key as it is kept; `secret_hash` in hex, times ISO 8601. daily_cap 0: no cap. */
export type KeyRecord = z.infer<typeof KeyRow>
export type NewKey = Pick<KeyRecord, 'name' | 'role' | 'tier' | 'rate_limit' | 'daily_cap' | 'scopes' | 'source_ip'> & { readonly days?: number }

export interface Keys {
  /** Makes a key; the text is in the answer and nowhere else. */
  issue(wanted: NewKey): Promise<{ readonly key: string; readonly record: KeyRecord }>
  /** The live key behind `text`; null when malformed, unknown, revoked or expired. */
  check(text: string): Promise<KeyRecord | null>
  /** By public id (8 characters) or numeric id; null when there is none. */
  find(id: string): Promise<KeyRecord | null>
  revoke(record: KeyRecord): Promise<KeyRecord>
  /** Instant keys made from `ip` within the last 24 hours. */
  issuedFrom(ip: string): Promise<number>
  /** The admin key of a fresh install, once; null when an admin key was ever made, unless `another` is wanted. */
  ensureAdminKey(another?: boolean): Promise<string | null>
}

const rememberMs = 3_000
/** From this age on a key is read again while it is still believed: a steady caller never waits for that. */
const agingMs = 2_000
const mostRemembered = 20_000
const nothing = Buffer.alloc(32)

/** A key as it is remembered: what `check` compares, worked out once. */
interface Known { readonly record: KeyRecord; readonly hash: Buffer; readonly expires: number }
interface Entry { readonly at: number; readonly known: Promise<Known | null>; renewing: boolean }

const knownOf = (record: KeyRecord): Known => ({ record, hash: Buffer.from(record.secret_hash, 'hex'), expires: Date.parse(record.expires_at) })

export const openKeys = (reader: Store, writer: Store, now: () => number = Date.now): Keys => {
  const remembered = new Map<string, Entry>()

  const load = async (params: { publicId: string; id: string }): Promise<KeyRecord | null> => (await reader.query(findKey, params, KeyRow))[0] ?? null
  const read = (publicId: string): Entry => {
    const known = load({ publicId, id: '0' }).then((record) => (record === null ? null : knownOf(record)))
    return { at: now(), known, renewing: false }
  }
  const renew = (publicId: string, old: Entry): void => {
    old.renewing = true
    const entry = read(publicId)
    // What was written here in the meantime is newer than what was read.
    entry.known.then(() => { if (remembered.get(publicId) === old) remembered.set(publicId, entry) }, () => undefined)
  }
  const recall = (publicId: string): Promise<Known | null> => {
    const kept = remembered.get(publicId)
    const age = kept === undefined ? Infinity : now() - kept.at
    if (kept !== undefined && age < rememberMs) {
      if (age >= agingMs && !kept.renewing) renew(publicId, kept)
      return kept.known
    }
    const entry = read(publicId)
    if (remembered.size >= mostRemembered) remembered.delete(remembered.keys().next().value ?? '')
    remembered.set(publicId, entry)
    entry.known.catch(() => remembered.delete(publicId))
    return entry.known
  }
  const write = async (record: KeyRecord): Promise<void> => {
    await writer.execute(insertKey, {
      id: record.id, publicId: record.public_id, hash: record.secret_hash, name: record.name, role: record.role, tier: record.tier, rateLimit: record.rate_limit,
      dailyCap: record.daily_cap, scopes: record.scopes, ip: record.source_ip, createdAt: Date.parse(record.created_at), expiresAt: Date.parse(record.expires_at),
      revokedAt: record.revoked_at === null ? 0 : Date.parse(record.revoked_at), version: record.version,
    })
    remembered.set(record.public_id, { at: now(), known: Promise.resolve(knownOf(record)), renewing: false })
  }

  const keys: Keys = {
    issue: async (wanted) => {
      const key = makeKey()
      const { days = keyLifetimeDays, ...rest } = wanted
      const record: KeyRecord = {
        ...rest, id: randomInt(10 ** 12, 10 ** 14), public_id: publicIdOf(key) ?? '', secret_hash: hashOf(key).toString('hex'), created_at: new Date(now()).toISOString(),
        expires_at: new Date(now() + days * 86_400_000).toISOString(), revoked_at: null, version: 1,
      }
      await write(record)
      return { key, record }
    },
    check: async (text) => {
      // The checksum spares the store keys that cannot be; of one it has told already, the hash says enough.
      const publicId = remembered.has(text.slice(4, 12)) ? text.slice(4, 12) : publicIdOf(text)
      if (publicId === null) return null
      const known = await recall(publicId)
      const same = timingSafeEqual(hashOf(text), known?.hash ?? nothing)
      return known !== null && same && known.record.revoked_at === null && known.expires > now() ? known.record : null
    },
    find: (id) => load(/^\d{9,}$/.test(id) ? { publicId: '', id } : { publicId: id, id: '0' }),
    revoke: async (record) => {
      if (record.revoked_at !== null) return record
      const revoked = { ...record, revoked_at: new Date(now()).toISOString(), version: record.version + 1 }
      await write(revoked)
      return revoked
    },
    issuedFrom: async (ip) => (await reader.query(countKeys, { ip, role: 'agent', since: now() - 86_400_000 }, z.object({ keys: z.coerce.number() })))[0]?.keys ?? 0,
    ensureAdminKey: async (another = false) => {
      const [row] = await reader.query(countKeys, { ip: '', role: 'admin', since: 0 }, z.object({ keys: z.coerce.number() }))
      if ((row?.keys ?? 0) > 0 && !another) return null
      // Ten years: the operator's own key is revoked by hand, not by time.
      const made = await keys.issue({ name: 'admin', role: 'admin', tier: 'enterprise', rate_limit: 5_000, daily_cap: 0, scopes: [...adminScopes], source_ip: '', days: 3_650 })
      return made.key
    },
  }
  return keys
}
