/** Takes a list over: refused or accepted as a whole. A reader sees the content before until one row (sanctions_loads) names the new one. */
import { z } from 'zod'
import type { Store } from '../../../../schemas/clickhouse.js'
import { AppError } from '../../../../schemas/errors.js'
import { loadSql } from '../../../../schemas/sql.js'
import { designationsOf } from './designation.js'
import { refusal } from './guard.js'
import { followLabels } from './labels.js'
import type { ReadList, SanctionsList } from './list.js'

const sql = (name: string) => loadSql(import.meta.url, `${name}.sql`)
const [inForce, contentKeys, contentRows, changes, unwrittenChanges] = [sql('in_force'), sql('content_keys'), sql('content_rows'), sql('changes'), sql('unwritten_changes')]
const Current = z.object({ content: z.string(), list_version: z.string(), sha256: z.string(), source: z.string(), published_on: z.string().nullable(), version: z.number() })
const Unwritten = z.object({ version: z.string(), content: z.string(), before: z.string(), list_version: z.string() })

/** What became of an attempt. added and removed count listings. */
export interface Stored { readonly register: string; readonly status: 'accepted' | 'unchanged' | 'refused' | 'failed'; readonly listVersion: string; readonly addresses: number; readonly unreadable: number; readonly added: number; readonly removed: number; readonly reason: string }

/** The content of a list that is in force; null before the first. */
export const inForceOf = async (store: Store, register: string): Promise<z.infer<typeof Current> | null> => (await store.query(inForce, { register }, Current))[0] ?? null

/** source: URL or 'bundled'. currentAt: when the list was known to be the newest. shrunk: take it although much is gone. */
export interface Origin { readonly source: string; readonly sha256: string; readonly currentAt: Date; readonly aggregator: string; readonly shrunk?: boolean }

const nothing = { added: 0, removed: 0, addresses: 0, unreadable: 0 }

/** Writes an attempt down; versions of a list grow with time. */
const writeLoad = async (store: Store, list: SanctionsList, { source, sha256, currentAt }: Origin, after: number, more: object): Promise<number> => {
  const now = new Date()
  const version = Math.max(now.getTime(), after + 1)
  await store.insert('sanctions_loads', [{ register: list.register, version, content: '', list_version: '', sha256, source, published_at: null, current_at: currentAt.toISOString(), entries: 0, addresses: 0, unreadable: 0, reason: '', ...more, loaded_at: now.toISOString() }])
  return version
}

/** Writes what the versions of a list changed, where that is not written yet; resolves to [added, removed] of the newest. */
const writeChanges = async (store: Store, register: string): Promise<number> => {
  let written = 0
  for (const { version, content, before, list_version } of await store.query(unwrittenChanges, { register }, Unwritten)) written = await store.execute(changes, { register, version, content, before, list_version }, { token: `changes|${register}|${version}` })
  return written
}

/** An attempt that brought no list: it is told, and the list before stays. */
export const storeFailure = async (store: Store, list: SanctionsList, origin: Origin, reason: string): Promise<Stored> => {
  const current = await inForceOf(store, list.register)
  await writeLoad(store, list, origin, current?.version ?? 0, { status: 'failed', reason })
  return { register: list.register, status: 'failed', listVersion: '', ...nothing, reason }
}

/** Takes `read` over, or refuses it. May be repeated; two processes at once write the same rows. */
export const storeList = async (store: Store, list: SanctionsList, read: ReadList, origin: Origin): Promise<Stored> => {
  const { register } = list
  await writeChanges(store, register)
  const current = await inForceOf(store, register)
  const { rows, content } = designationsOf(read.listings)
  const keys = new Set(rows.map(({ key }) => key))
  const before = current === null ? null : { keys: new Set((await store.query(contentKeys, { register, content: current.content }, z.object({ key: z.string() }))).map(({ key }) => key)), publishedAt: current.published_on }
  const listVersion = read.publishedAt ?? origin.sha256.slice(0, 12)
  const facts = {
    list_version: listVersion, published_at: read.publishedAt === null ? null : `${read.publishedAt}T00:00:00Z`, entries: read.entries, addresses: keys.size,
    unreadable: rows.filter(({ unreadable }) => unreadable !== '').length,
  }
  const told = { register, listVersion, addresses: keys.size, unreadable: facts.unreadable }
  const why = refusal(rows, read.publishedAt, list.canaries, before, origin.shrunk === true)
  if (why !== null) {
    await writeLoad(store, list, origin, current?.version ?? 0, { ...facts, status: 'refused', reason: why })
    return { ...told, status: 'refused', added: 0, removed: 0, reason: why }
  }
  const notes = (read.notes ?? []).join('; ')
  if (current?.content === content) {
    await writeLoad(store, list, origin, current.version, { ...facts, status: 'unchanged', content, reason: notes })
    await followLabels(store, list, rows, listVersion, origin.sha256)
    return { ...told, status: 'unchanged', added: 0, removed: 0, reason: notes }
  }
  const there = async (): Promise<boolean> => (await store.query(contentRows, { register, content }, z.object({ rows: z.coerce.number() })))[0]?.rows === rows.length
  if (!await there()) await store.insertSurely('designations', rows.map((row) => ({ ...row, register, content, designating_authority: list.authority, aggregator: origin.aggregator })), `designations|${register}|${content}`, there)
  const version = await writeLoad(store, list, origin, current?.version ?? 0, { ...facts, status: 'accepted', content, reason: notes })
  await writeChanges(store, register)
  await followLabels(store, list, rows, listVersion, origin.sha256)
  const [counted] = await store.query("SELECT countIf(change = 'added') AS added, countIf(change = 'removed') AS removed FROM sanctions_changes WHERE register = {register:String} AND version = {version:UInt64}", { register, version }, z.object({ added: z.coerce.number(), removed: z.coerce.number() }))
  if (counted === undefined) throw new AppError('STORE_FAILED', 'Changes were not counted')
  return { ...told, status: 'accepted', ...counted, reason: notes }
}
