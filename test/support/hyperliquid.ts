/** What was heard from Hyperliquid as ingest leaves it: one raw_payloads row a payload, normalized and enriched. */
import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { findChain } from '../../schemas/chains.js'
import type { Store } from '../../schemas/clickhouse.js'
import type { BatchRef } from '../../schemas/primitives.js'
import { alertHyperliquid } from '../../stages/alert/statements.js'
import { enrichHyperliquid } from '../../stages/enrich/hyperliquid/statements.js'
import { normalizeHyperliquid } from '../../stages/normalize/hyperliquid/statements.js'
import { runStatements, type Context } from '../../stages/stage.js'
import { randomName } from './servers.js'

const folder = new URL('../fixtures/hyperliquid/info/', import.meta.url)

export interface Recorded { readonly name: string; readonly request: Readonly<Record<string, unknown>>; readonly response: never }
/** Every recorded answer of the venue. */
export const recordedAnswers = (): Recorded[] => readdirSync(folder).sort().map((file) => ({ name: file.replace('.json.gz', ''), ...JSON.parse(gunzipSync(readFileSync(new URL(file, folder))).toString('utf8')) as Omit<Recorded, 'name'> }))

export interface Heard { readonly kind: 'ws' | 'info' | 'node_fills' | 'node_trades' | 'gap'; readonly payload: string; /** What was asked for, JSON. */ readonly request?: string; /** When, Unix milliseconds. */ readonly at?: number }

export const infoAnswer = (request: object, response: unknown, at?: number): Heard => ({ kind: 'info', payload: JSON.stringify(response), request: JSON.stringify(request), ...(at === undefined ? {} : { at }) })
export const message = (channel: string, data: unknown, request: object = {}, at?: number): Heard => ({ kind: 'ws', payload: JSON.stringify({ channel, data }), request: JSON.stringify(request), ...(at === undefined ? {} : { at }) })

/** Puts payloads into raw_payloads at once, as one part of all these segments. */
export const insertSegments = async (store: Store, segments: ReadonlyArray<{ number: number; heard: readonly Heard[] }>, token = randomName('raw')): Promise<void> => {
  await store.insert('raw_payloads', segments.flatMap(({ number, heard }) => heard.map(({ kind, payload, request = '{}', at = Date.now() }) => ({
    chain: 'HL', number, kind, block_hash: '', parent_hash: '', problem: '', generation: 0, endpoint: 'recorded', fetched_at: new Date(at).toISOString(), payload, receipts: request, traces: '', traces_kind: '',
  }))), token)
}
/** Puts payloads into raw_payloads as segment `number`. */
export const insertHeard = (store: Store, number: number, heard: readonly Heard[], token?: string): Promise<void> => insertSegments(store, [{ number, heard }], token)

/** Empties what is kept of the venue. Segments go on counting: their tokens are known. */
export const emptyVenue = async (store: Store): Promise<void> => {
  for (const { name } of await store.query("SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree' AND (startsWith(name, 'hl_') OR name = 'raw_payloads')", {}, z.object({ name: z.string() }))) await store.execute('TRUNCATE TABLE {table:Identifier}', { table: name })
}

const contextOf = (store: Store, again: boolean): Context => {
  const chain = findChain('HL')
  if (chain === undefined) throw new Error('HL is not a chain')
  return { store, chain: { chain }, again, checkpoint: async () => undefined, log: { debug: () => undefined, warn: () => undefined } } as unknown as Context
}
const segments = (from: number, to: number): BatchRef => ({ chain: 'HL', from, to, hash: `0x${'ab'.repeat(32)}`, generation: 0, floor: 0 })

/** Runs normalize and enrich for segments `from` to `to`. */
export const digest = async (store: Store, from: number, to: number, again = false): Promise<void> => {
  const context = contextOf(store, again)
  await runStatements(normalizeHyperliquid, segments(from, to), context)
  await runStatements(enrichHyperliquid, segments(from, to), context)
}

/** Runs alert for the same. */
export const alertOn = async (store: Store, from: number, to: number, again = false): Promise<number> => runStatements(alertHyperliquid, segments(from, to), contextOf(store, again))

/** Says that the venue was listened to all the time since, as trades heard live would: what is not told of it did not happen. */
export const listened = (store: Store, since = Date.now() - 3 * 86_400_000): Promise<void> => {
  const times = Array.from({ length: Math.ceil((Date.now() - since) / 43_200_000) }, (_, nth) => new Date(since + nth * 43_200_000).toISOString())
  return store.insert('hl_told', times.map((at) => ({ chain: 'HL', told: 'live', start: `${at.slice(0, 10)} ${at.slice(11, 19)}`, first: at, last: at })))
}
