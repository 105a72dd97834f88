/** Takes a list over: refused or accepted as a whole. A reader sees the content before until one row (sanctions_loads) names the new one. */
import { z } from 'zod'
import type { Store } from '../../../../schemas/clickhouse.js'
import { AppError } from '../../../../schemas/errors.js'
import { loadSql } from '../../../../schemas/sql.js'
import { designationsOf } from './designation.js'
import { measuredMs, refusal, type InForce } from './guard.js'
import { followLabels } from './labels.js'
import { loadsOf } from '../storeLabels.js'
import type { ReadList, SanctionsList } from './list.js'

const sql = (name: string) => loadSql(import.meta.url, `${name}.sql`)
const [inForce, kept, newestAttempt, isWritten, contentRows, changes, unwrittenChanges] = [sql('in_force'), sql('kept'), sql('newest_attempt'), sql('is_written'), sql('content_rows'), sql('changes'), sql('unwritten_changes')]
const Current = z.object({ content: z.string(), list_version: z.string(), sha256: z.string(), source: z.string(), published_on: z.string().nullable(), version: z.number() })
export type InForceRow = z.infer<typeof Current>
const Unwritten = z.object({ version: z.string(), content: z.string(), before: z.string(), list_version: z.string() })

/** What became of an attempt. added and removed count listings. */
export interface Stored { readonly register: string; readonly status: 'accepted' | 'unchanged' | 'refused' | 'failed'; readonly listVersion: string; readonly addresses: number; readonly unreadable: number; readonly added: number; readonly removed: number; readonly reason: string }

/** The content of a list that is in force; null before the first. */
export const inForceOf = async (store: Store, register: string): Promise<InForceRow | null> => (await store.query(inForce, { register }, Current))[0] ?? null

/** source: URL or 'bundled'. currentAt: when the list was known to be the newest. shrunk: take it although much is gone. askedAfter: the version in force when the list was asked for (0: none). */
export interface Origin { readonly source: string; readonly sha256: string; readonly currentAt: Date; readonly aggregator: string; readonly shrunk?: boolean; readonly askedAfter?: number }

const nothing = { added: 0, removed: 0, addresses: 0, unreadable: 0 }

const Newest = z.object({ version: z.number() })
const newestOf = async (store: Store, register: string): Promise<number> => (await store.query(newestAttempt, { register }, Newest))[0]?.version ?? 0

/** Writes an attempt down behind `after`, the newest there was; null: another loader was faster, and what it wrote has to be looked at first. Versions form a chain, whatever clocks say. */
const writeLoad = async (store: Store, list: SanctionsList, { source, sha256, currentAt }: Origin, after: number, more: { readonly status: Stored['status']; readonly content?: string; readonly [column: string]: unknown }): Promise<number | null> => {
  const now = new Date()
  const [{ register }, version] = [list, Math.max(now.getTime(), after + 1)]
  const row = { register, version, content: '', list_version: '', sha256, source, published_at: null, current_at: currentAt.toISOString(), entries: 0, addresses: 0, unreadable: 0, reason: '', taken: false, ...more, loaded_at: now.toISOString() }
  // One token behind each version: of two loaders that saw the same one, the first writes.
  await store.insertSurely('sanctions_loads', [row], `sanctions_loads|${register}|${after}`, async () => await newestOf(store, register) > after)
  const [found] = await store.query(isWritten, { register, version, status: row.status, content: row.content, sha256, loaded_at: now.getTime() }, z.object({ rows: z.coerce.number() }))
  return found?.rows === 1 ? version : null
}

/** How often an attempt is weighed anew because others wrote in between. */
const mostRounds = 16
const inRounds = async <Value>(round: () => Promise<Value | null>): Promise<Value> => {
  for (let left = mostRounds; left > 0; left -= 1) { const done = await round(); if (done !== null) return done }
  throw new AppError('STORE_FAILED', 'Other loaders of sanctions lists were always faster', { status: 500, retry: 'attempt' })
}

/**
 * Writes what the versions of a list changed, where that is not written yet. A version that is still unwritten after that has a token that stands without rows (untilThere): it is written under
 * a spare. Each begins with the token all loaders begin with: of two that write one version at a time the second waits for the first.
 */
const writeChanges = async (store: Store, register: string): Promise<void> => {
  const tried = new Map<string, number>(), spares = ['', '|2', '|3']
  for (;;) {
    const unwritten = (await store.query(unwrittenChanges, { register }, Unwritten)).filter(({ version }) => (tried.get(version) ?? 0) < spares.length)
    if (unwritten.length === 0) return
    for (const { version, content, before, list_version } of unwritten) {
      const times = tried.get(version) ?? 0
      tried.set(version, times + 1)
      await store.execute(changes, { register, version, content, before, list_version }, { token: `changes|${register}|${version}${spares[times] ?? ''}` })
    }
  }
}

/** Writes what the list in force lacks where its loader was ended in the middle: its changes and its labels. register_loads names a list last. `anew`: the same file was read otherwise before, so its name there says nothing. */
export const finishList = async (store: Store, list: SanctionsList, { sha256, list_version }: InForceRow, anew = false): Promise<void> => {
  if (!anew && (await loadsOf(store, list.register)).last === sha256) return
  await writeChanges(store, list.register)
  await followLabels(store, list, list_version, sha256, !anew)
}

/** An attempt that brought no list: it is told, and the list before stays. */
export const storeFailure = async (store: Store, list: SanctionsList, origin: Origin, reason: string): Promise<Stored> => inRounds(async () => {
  const version = await writeLoad(store, list, origin, await newestOf(store, list.register), { status: 'failed', reason })
  return version === null ? null : { register: list.register, status: 'failed', listVersion: '', ...nothing, reason }
})

/** An attempt that is told and not written down. */
export const refusedUnwritten = (register: string, reason: string): Stored => ({ register, status: 'refused', listVersion: '', ...nothing, reason })

/** What a list of `content` is measured against: what was held, nothing where it is what is in force; null before the first. */
const inForceFor = async (store: Store, register: string, current: InForceRow | null, content: string): Promise<InForce | null> => (current === null ? null : {
  kept: current.content === content ? [] : (await store.query(kept, { register, current: current.content, since: Date.now() - measuredMs }, z.object({ list_version: z.string(), keys: z.array(z.string()) }))).map(({ list_version: version, keys }) => ({ version, keys: new Set(keys) })),
  publishedAt: current.published_on,
})

/** Takes `read` over, or refuses it. May be repeated, and by several at once: each is measured against what was written before it. Throws LIST_OVERTAKEN where another list came into force after this one was asked for, unless this one is of a later day. */
export const storeList = async (store: Store, list: SanctionsList, read: ReadList, origin: Origin): Promise<Stored> => {
  const { register } = list
  const { rows, content } = designationsOf(read.listings)
  const listVersion = read.publishedAt ?? origin.sha256.slice(0, 12)
  const facts = {
    list_version: listVersion, published_at: read.publishedAt === null ? null : `${read.publishedAt}T00:00:00Z`, entries: read.entries, addresses: new Set(rows.map(({ key }) => key)).size,
    unreadable: rows.filter(({ unreadable }) => unreadable !== '').length,
  }
  const told = { register, listVersion, addresses: facts.addresses, unreadable: facts.unreadable, added: 0, removed: 0 }
  const there = async (): Promise<boolean> => (await store.query(contentRows, { register, content }, z.object({ rows: z.coerce.number() })))[0]?.rows === rows.length
  const notes = (read.notes ?? []).join('; ')
  const { stored, version } = await inRounds(async () => {
    await writeChanges(store, register)
    const newest = await newestOf(store, register)
    const current = await inForceOf(store, register)
    const [day, other] = [read.publishedAt, current?.published_on ?? null]
    if (origin.askedAfter !== undefined && (current?.version ?? 0) !== origin.askedAfter && current?.content !== content && (day === null || other === null || day <= other))
      throw new AppError('LIST_OVERTAKEN', day !== null && other !== null && day < other ? `It is of ${day}, and one of ${other} came into force while it was read` : 'Another list came into force while this one was read, and no day says which is the newer')
    const write = async (stored: Pick<Stored, 'status' | 'reason'>, more: object = {}) => {
      const written = await writeLoad(store, list, origin, newest, { ...facts, ...stored, ...more })
      return written === null ? null : { stored, version: written }
    }
    const why = refusal(rows, read.publishedAt, list.canaries, await inForceFor(store, register, current, content), origin.shrunk === true)
    if (why !== null) return write({ status: 'refused', reason: why })
    if (current?.content === content) return write({ status: 'unchanged', reason: notes }, { content })
    if (!await there()) await store.insertSurely('designations', rows.map((row) => ({ ...row, register, content, designating_authority: list.authority, aggregator: origin.aggregator })), `designations|${register}|${content}`, there)
    return write({ status: 'accepted', reason: notes }, { content, taken: origin.shrunk === true })
  })
  if (stored.status === 'refused') return { ...told, ...stored }
  await writeChanges(store, register)
  await followLabels(store, list, listVersion, origin.sha256, stored.status === 'accepted')
  if (stored.status === 'unchanged') return { ...told, ...stored }
  const [counted] = await store.query("SELECT countIf(change = 'added') AS added, countIf(change = 'removed') AS removed FROM sanctions_changes WHERE register = {register:String} AND version = {version:UInt64}", { register, version }, z.object({ added: z.coerce.number(), removed: z.coerce.number() }))
  if (counted === undefined) throw new AppError('STORE_FAILED', 'Changes were not counted')
  return { ...told, ...counted, ...stored }
}
