/** Access keys: the truth is in ClickHouse; a process remembers a key for under 5 s, so a revocation reaches every process within that. */
import { randomInt, timingSafeEqual } from 'node:crypto'
import type { Logger } from 'pino'
import { z } from 'zod'
import { endOfTime } from './fields.js'
import { untilThere, type Store } from '../schemas/clickhouse.js'
import { loadSql } from '../schemas/sql.js'
import { hashOf, makeKey, publicIdOf } from './keyFormat.js'
import { KeyRow, manages, UsedKeyRow, type KeyChange, type KeyPosition, type KeyRecord, type NewKey, type UsedKey } from './keyRecord.js'
import { openKeyUses } from './keyUses.js'
import { adminScopes, keyLifetimeDays } from './tiers.js'
import { openTurns } from './turns.js'

export type { KeyRecord, NewKey } from './keyRecord.js'

const findKey = loadSql(import.meta.url, 'findKey.sql')
const insertKey = loadSql(import.meta.url, 'insertKey.sql')
const countKeys = loadSql(import.meta.url, 'countKeys.sql')
const nextInstantKey = loadSql(import.meta.url, 'nextInstantKey.sql')
const listKeys = loadSql(import.meta.url, 'listKeys.sql')

/** A key and its record: the text is here and nowhere else. */
export interface Issued { readonly key: string; readonly record: KeyRecord }

/** Who asks about a key: `count` rejects where `from` has asked about too many. */
export interface Asker { readonly from: string; count(): Promise<void> }

export interface Keys {
  issue(wanted: NewKey): Promise<Issued>
  /** A key for whoever asks; null when `most` were made from the address within the last 24 hours, as the store counts them. */
  issueInstant(wanted: NewKey, most: number): Promise<Issued | null>
  /** Milliseconds until an address that was made `most` of them has fewer. */
  untilInstant(ip: string, most: number): Promise<number>
  /** The live key behind `text`; null when malformed, unknown, revoked or expired. `asker`: who is counted, and may be refused, before the store is asked about a key not known here. */
  check(text: string, asker?: Asker): Promise<KeyRecord | null>
  /** By public id (8 characters) or numeric id, as it stands in the store now; null when there is none. */
  find(id: string): Promise<KeyRecord | null>
  /** The keys `record` may see, newest first, below a position: those of its account, or itself. `live`: only those that work at this moment. */
  list(record: KeyRecord, wanted: { readonly limit: number; readonly live?: boolean; readonly below?: KeyPosition | undefined; /** All keys of its account, whether or not it manages that. */ readonly whole?: boolean }): Promise<UsedKey[]>
  /** Of changes made to one version of a key at once, the first recorded wins; resolves to the key as it stands then, not to what was wished. */
  change(record: KeyRecord, changes: KeyChange): Promise<KeyRecord>
  /** Ends a key for good, whatever else is written about it at the same time. */
  revoke(record: KeyRecord): Promise<KeyRecord>
  /** The admin key of a fresh install, once; null when an admin key was ever made, unless `another` is wanted. */
  ensureAdminKey(another?: boolean): Promise<string | null>
  /** Writes down when keys were last used. */
  close(): Promise<void>
}

const rememberMs = 3_000
/** Milliseconds for which a request waits for a store that is silent about its key. */
const patienceMs = 10_000
/** From this age on a key is read again while it is still believed: a steady caller never waits for that. */
const agingMs = 2_000
const mostRemembered = 20_000
/** A revocation is above every other version, so that no change made beside it can undo it. */
const revokedVersion = 2 ** 52
const nothing = Buffer.alloc(32)
const Count = z.object({ keys: z.coerce.number() })

/** A key as it is remembered: what `check` compares, worked out once. */
interface Known { readonly record: KeyRecord; readonly hash: Buffer; readonly expires: number }
interface Entry { readonly at: number; readonly known: Promise<Known | null>; renewing: boolean }

const knownOf = (record: KeyRecord): Known => ({ record, hash: Buffer.from(record.secret_hash, 'hex'), expires: Date.parse(record.expires_at) })

export const openKeys = (reader: Store, writer: Store, now: () => number = Date.now, log?: Pick<Logger, 'warn'>): Keys => {
  const remembered = new Map<string, Entry>()
  const uses = openKeyUses(writer, log)
  const inTurn = openTurns()
  const counting = new Map<string, Promise<void>>()

  const load = async (params: { publicId: string; id: string }): Promise<KeyRecord | null> => (await reader.query(findKey, params, KeyRow, {}, AbortSignal.timeout(patienceMs)))[0] ?? null
  const read = (publicId: string): Entry => {
    const look = async (): Promise<Known | null> => {
      const record = await load({ publicId, id: '0' })
      return record === null ? null : knownOf(record)
    }
    return { at: now(), known: look(), renewing: false }
  }
  const renew = (publicId: string, old: Entry): void => {
    old.renewing = true
    const entry = read(publicId)
    // What was written here in the meantime is newer than what was read.
    entry.known.then(() => { if (remembered.get(publicId) === old) remembered.set(publicId, entry) }, () => undefined)
  }
  /** Requests of one asker that come with a key before it is known are one look, so that they are counted once. */
  const counted = (publicId: string, { from, count }: Asker): Promise<void> => {
    const who = `${publicId} ${from}`
    const begun = counting.get(who)
    if (begun !== undefined) return begun
    const mine = count()
    counting.set(who, mine)
    const leave = (): void => { counting.delete(who) }
    mine.then(leave, leave)
    return mine
  }
  const recall = (publicId: string, asker: Asker | undefined): Promise<Known | null> => {
    const kept = remembered.get(publicId)
    // Counted before askers share the look: one that is refused is its own asker's, and not that of the key's owner who comes beside it.
    if (kept === undefined && asker !== undefined) return counted(publicId, asker).then(() => recall(publicId, undefined))
    const age = kept === undefined ? Infinity : now() - kept.at
    // A clock that was set back: how old it is nobody knows.
    if (kept !== undefined && age >= 0 && age < rememberMs) {
      if (age >= agingMs && !kept.renewing) renew(publicId, kept)
      return kept.known
    }
    const entry = read(publicId)
    if (remembered.size >= mostRemembered) remembered.delete(remembered.keys().next().value ?? '')
    remembered.set(publicId, entry)
    // What is not there is not remembered: made-up keys would push out real ones.
    const forget = (): void => { if (remembered.get(publicId) === entry) remembered.delete(publicId) }
    entry.known.then((known) => { if (known === null) forget() }, forget)
    return entry.known
  }
  const keep = (record: KeyRecord): KeyRecord => {
    remembered.set(record.public_id, { at: now(), known: Promise.resolve(knownOf(record)), renewing: false })
    return record
  }
  const insert = async (record: KeyRecord, token: string): Promise<void> => {
    await writer.execute(insertKey, {
      id: record.id, publicId: record.public_id, hash: record.secret_hash, name: record.name, role: record.role, tier: record.tier, origin: record.origin, account: record.account,
      lineage: record.lineage, quota: record.quota, rateLimit: record.rate_limit, dailyCap: record.daily_cap, scopes: record.scopes, ip: record.source_ip,
      createdAt: Date.parse(record.created_at), expiresAt: Date.parse(record.expires_at), revokedAt: record.revoked_at === null ? 0 : Date.parse(record.revoked_at), version: record.version,
    }, { token })
  }
  const tokenOf = ({ public_id: id, version }: KeyRecord): string => `key|${id}|${version}`
  /** Resolves to the key as it stands then. One version of a key is recorded once: of two processes that make it, the second writes nothing. */
  const write = async (record: KeyRecord): Promise<KeyRecord> => keep(await untilThere(tokenOf(record), (token) => insert(record, token), async () => {
    const newest = await load({ publicId: record.public_id, id: '0' })
    // A merge keeps the newest version alone.
    return newest !== null && newest.version >= record.version ? newest : undefined
  }))
  const count = async (what: { role?: string; origin?: string; ip?: string; since?: number }): Promise<number> =>
    (await reader.query(countKeys, { role: '', origin: '', ip: '', since: 0, ...what }, Count))[0]?.keys ?? 0

  const keys: Keys = {
    issue: async (wanted) => {
      const key = makeKey()
      const publicId = publicIdOf(key) ?? ''
      const { days = keyLifetimeDays, ...rest } = wanted
      const record: KeyRecord = {
        origin: 'operator', account: wanted.tier === 'free' ? '' : publicId, lineage: publicId, quota: publicId, expires_at: new Date(now() + days * 86_400_000).toISOString(), ...rest,
        id: randomInt(10 ** 12, 10 ** 14), public_id: publicId, secret_hash: hashOf(key).toString('hex'), created_at: new Date(now()).toISOString(), revoked_at: null, version: 1,
      }
      // Nobody had its token before, so that what was acknowledged stands: it is not looked at again, as its text would be lost with an answer that fails.
      await insert(record, tokenOf(record))
      return { key, record: keep(record) }
    },
    // One at a time for an address: what was counted is still so when the key is written, in this process.
    issueInstant: (wanted, most) => inTurn(wanted.source_ip, async () =>
      (await count({ origin: 'instant', ip: wanted.source_ip, since: now() - 86_400_000 }) >= most ? null : keys.issue({ ...wanted, origin: 'instant' }))),
    untilInstant: async (ip, most) => Math.max(0, ((await reader.query(nextInstantKey, { ip, most }, z.object({ at: z.number() })))[0]?.at ?? 0) - now()),
    check: async (text, asker) => {
      // The checksum spares the store keys that cannot be; of one it has told already, the hash says enough.
      const publicId = remembered.has(text.slice(4, 12)) ? text.slice(4, 12) : publicIdOf(text)
      if (publicId === null) return null
      const known = await recall(publicId, asker)
      const same = timingSafeEqual(hashOf(text), known?.hash ?? nothing)
      const at = now()
      if (known === null || !same || known.record.revoked_at !== null || known.expires <= at) return null
      uses.saw(publicId, at)
      return known.record
    },
    find: (id) => load(/^\d{9,}$/.test(id) ? { publicId: '', id } : { publicId: id, id: '0' }),
    list: async (record, { limit, live = false, below: [before, after] = [endOfTime, ''], whole = false }) => {
      const rows = await reader.query(listKeys, { account: whole || manages(record) ? record.account : '', publicId: record.public_id, live, now: now(), before, after, limit }, UsedKeyRow)
      return rows.map((row) => { const last = uses.last(row.public_id); return last === undefined ? row : { ...row, used_at: new Date(last).toISOString() } })
    },
    change: (record, changes) => write({ ...record, ...changes, version: record.version + 1 }),
    revoke: (record) => (record.revoked_at === null ? write({ ...record, revoked_at: new Date(now()).toISOString(), version: revokedVersion }) : Promise.resolve(record)),
    ensureAdminKey: async (another = false) => {
      if (!another && await count({ role: 'admin' }) > 0) return null
      // Ten years: the operator's own key is revoked by hand, not by time.
      return (await keys.issue({ name: 'admin', role: 'admin', tier: 'enterprise', rate_limit: 5_000, daily_cap: 0, scopes: [...adminScopes], source_ip: '', days: 3_650 })).key
    },
    close: () => uses.close(),
  }
  return keys
}
