/** The sanctions lists in memory: immutable views of one content of each list, so that an answer never sees two versions of one. */
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { untrusted } from '../../untrusted.js'

const [listDesignations, listStates] = [loadSql(import.meta.url, 'listDesignations.sql'), loadSql(import.meta.url, 'listStates.sql')]

/** Registers with addresses, and METI's, which publishes organisations alone. */
export const registers = ['OFAC_SDN', 'UK_HMT', 'IL_NBCTF', 'JP_MOF', 'JP_METI'] as const
export const withoutAddresses: ReadonlySet<string> = new Set(['JP_METI'])

const text = z.string().transform((raw) => untrusted(raw, 300))
const Listing = z.object({
  content: z.string(), key: z.string(), also: z.array(z.string()), source: z.enum(registers), list_id: text, ticker: z.string().transform((raw) => untrusted(raw, 20)), listed_address: text, chain: z.string(), repaired: z.string(), unreadable: z.string(), entity_name: text, programme: text,
  designating_authority: z.string(), aggregator: z.string(), listed_on: z.string().nullable(), ends_on: z.string().nullable(), confidence: z.number(),
})
export type Listing = z.infer<typeof Listing>
const State = z.object({
  source: z.enum(registers), content: z.string(), list_version: z.string(), list_sha256: z.string(), loaded_from: z.string(), addresses: z.number(), unreadable: z.number(), notes: text, checked: Instant, loaded: Instant, loads: z.coerce.number(),
  next_content: z.string(), last_status: z.string(), last_reason: z.string(), last_at: Instant,
})
export type State = z.infer<typeof State>
type Listings = ReadonlyMap<string, readonly Listing[]>
/** addresses: how many there are of their own, without other texts of them. */
interface Content { readonly listings: Listings; readonly addresses: number }

/** What a register is at a moment: null state where it was never loaded. missing: addresses that its load counted and the store does not have; with any, the list says nothing of what is not found. */
export interface ListView { readonly source: (typeof registers)[number]; readonly state: State | null; readonly listings: Listings; readonly missing: number }

/** How often the store is asked whether there is something new. */
export const refresh = { milliseconds: 1_000 }
/** Contents of past versions that are kept in memory. */
const mostContents = 32

interface Held { checked: number; views: readonly ListView[]; coming: Promise<readonly ListView[]> | null; readonly contents: Map<string, Content> }
/** By the client: each question has a store of its own around it. */
const heldBy = new WeakMap<Store['client'], Held>()
const heldOf = ({ client }: Store): Held => {
  const held = heldBy.get(client) ?? { checked: 0, views: [], coming: null, contents: new Map<string, Content>() }
  heldBy.set(client, held)
  return held
}

/** The contents of `states`. They are kept in memory where they are whole; what is given stays whatever others drop from there meanwhile. */
const readContents = async (store: Store, states: readonly State[], held: Held): Promise<ReadonlyMap<string, Content>> => {
  const known = new Map(states.flatMap(({ content }) => { const one = held.contents.get(content); return one === undefined ? [] : [[content, one] as const] }))
  const wanted = [...new Set(states.map(({ content }) => content))].filter((content) => content !== '' && !known.has(content))
  if (wanted.length === 0) return known
  const found = new Map(wanted.map((content) => [content, { listings: new Map<string, Listing[]>(), own: new Set<string>() }] as const))
  for (const listing of await store.query(listDesignations, { contents: wanted }, Listing)) {
    const { listings, own } = found.get(listing.content) ?? {}
    own?.add(listing.key)
    for (const key of [listing.key, ...listing.also]) listings?.set(key, [...listings.get(key) ?? [], listing])
  }
  for (const [content, { listings, own }] of found) {
    known.set(content, { listings, addresses: own.size })
    if (states.some((state) => state.content === content && state.addresses === own.size)) held.contents.set(content, { listings, addresses: own.size })
  }
  for (const old of [...held.contents.keys()].slice(0, Math.max(0, held.contents.size - mostContents))) if (!known.has(old)) held.contents.delete(old)
  return known
}

const none: Content = { listings: new Map(), addresses: 0 }
/** at: null is now; 0 is 1970. */
const viewsAt = async (store: Store, at: number | null, held: Held): Promise<readonly ListView[]> => {
  const states = (await store.query(listStates, { now: at === null, at: at ?? 0 }, State)).filter(({ loads }) => loads > 0)
  const contents = await readContents(store, states, held)
  return registers.map((source) => {
    const state = states.find((one) => one.source === source) ?? null
    const { listings, addresses } = contents.get(state?.content ?? '') ?? none
    return { source, state, listings, missing: state === null ? 0 : Math.abs(state.addresses - addresses) }
  })
}

/** The lists as they are now, not older than `refresh`; `at` (unix milliseconds): as they were in force then. */
export const listViews = async (store: Store, at?: number): Promise<readonly ListView[]> => {
  const held = heldOf(store)
  if (at !== undefined) return viewsAt(store, at, held)
  if (held.checked > 0 && performance.now() - held.checked < refresh.milliseconds) return held.views
  const [asked, first] = [performance.now(), held.coming === null]
  held.coming ??= viewsAt(store, null, held).then((views) => { held.views = views; held.checked = asked; return views }).finally(() => { held.coming = null })
  // Who asked first may have gone, and the question with them: the others ask for themselves.
  return first ? held.coming : held.coming.catch(() => viewsAt(store, null, held))
}
