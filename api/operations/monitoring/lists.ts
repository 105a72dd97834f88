/** Watch lists: what they are to their owner. A list of another key is not there. */
import { z } from 'zod'
import { normalAddress } from '../../../schemas/addresses/normalAddress.js'
import { EvmAddress, Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { isBitcoin, plainAddress, type Configured } from '../../addresses.js'
import { invalid, notFound } from '../../faults.js'
import type { Ask } from '../../operation.js'
import { untrusted } from '../../untrusted.js'
import { ownerOf } from '../tags/tag.js'

export { ownerOf }
const [listLists, listWatched, versionsWatched, storeTime] = [loadSql(import.meta.url, 'listLists.sql'), loadSql(import.meta.url, 'listWatched.sql'), loadSql(import.meta.url, 'versionsWatched.sql'), loadSql(import.meta.url, 'storeTime.sql')]

/** Of one key at once. */
export const most = { lists: 20, addressesOfList: 1_000, webhooks: 10 } as const
export const listIdField = z.string().regex(/^wl_[0-9a-f]{16}$/).describe('list_id of a watch list')
export const addressesField = z.array(z.string().regex(/^[0-9A-Za-z:._-]{14,128}$/)).min(1).max(most.addressesOfList).describe('Addresses as their chains write them')

export const WatchList = z.object({
  list_id: z.string(), name: z.string().describe('Untrusted text'), min_usd: z.number().describe('Transfers known to be worth less are not told'), addresses: z.number().int(), created_at: Instant,
  warnings: z.array(z.string()).describe('What is not told of its addresses, and why'),
})
export type WatchList = z.infer<typeof WatchList>
export const Watched = z.object({ address: z.string(), chain: z.string().nullable().describe('Whose transfers are told; null: screened only'), added_at: Instant })
const Row = WatchList.omit({ warnings: true }).extend({ name: z.string().transform((text) => untrusted(text, 100)), unfollowed: z.number() })
/** A list as the store knows it; unfollowed: of its addresses those of no chain that is followed. */
export type Held = z.infer<typeof Row>
const VersionRow = z.object({ key: z.string(), removed: z.boolean(), version: z.number() })
const WatchedRow = Watched.extend({ key: z.string(), chain: z.string().transform((chain) => (chain === '' ? null : chain)), added_at: z.string().transform((at) => new Date(at).toISOString()) })

/** What is to be said where `count` addresses are of no chain that is followed. */
export const unfollowedWarnings = (count: number): string[] => (count === 0 ? [] : [`Addresses on lists that are of no chain that is followed here: ${count}. Of these sanctions listings are told, and no transfers`])

/** A list as its owner is told of it. */
export const tellList = ({ unfollowed, ...list }: Held): WatchList => ({ ...list, warnings: unfollowedWarnings(unfollowed) })

/** Lists of the caller, the oldest first. */
export const readLists = (ask: Ask, list = ''): Promise<Held[]> => ask.store.query(listLists, { owner: ownerOf(ask), list }, Row, {}, ask.signal)

/** The caller's list; throws 404. */
export const listOf = async (ask: Ask, id: string): Promise<Held> => {
  const [list] = await readLists(ask, id)
  if (list === undefined) throw notFound('Watch list')
  return list
}

/** Addresses of a list above the key `after`, or those of `keys`. */
export const readWatched = (ask: Ask, list: string, { after = '', keys = [], limit }: { readonly after?: string; readonly keys?: readonly string[]; readonly limit: number }): Promise<z.infer<typeof WatchedRow>[]> =>
  ask.store.query(listWatched, { owner: ownerOf(ask), list, after, keys, limit }, WatchedRow, {}, ask.signal)

/** An address by which transfers are found and lists are asked: in its normal form, as lists have it. chain '': of no chain that is followed. mistyped: what is wrong with what has the form of an address. */
export const memberOf = (given: string, configured: Configured) => {
  const { text, form, also, reason } = normalAddress(given)
  const address = plainAddress(reason === null ? text : given)
  const chain = EvmAddress.safeParse(address).success ? 'ETH' : isBitcoin(address, configured) ? 'BTC' : ''
  const key = address.toLowerCase()
  return { key, base: also[0] ?? key, address, chain, mistyped: form === '' ? null : reason }
}

/** Puts `given` on a list that has `held`; resolves to how many were not on it, and how many of those are of no chain that is followed. Those that are stay as they are. */
export const addAddresses = async (ask: Ask, list: string, given: readonly string[], held: number): Promise<{ readonly added: number; readonly unfollowed: number }> => {
  const members = [...new Map(given.map((one) => { const member = memberOf(one, ask); return [member.key, member] as const })).values()]
  if (members.some(({ key }) => /^0x0{40}$/.test(key))) throw invalid([{ type: 'not_watchable', loc: ['body', 'addresses'], msg: 'The zero address is nobody\'s: it cannot be watched' }])
  const mistyped = members.filter((member) => member.mistyped !== null)
  if (mistyped.length > 0) throw invalid(mistyped.slice(0, 20).map(({ address, mistyped: why }) => ({ type: 'mistyped', loc: ['body', 'addresses'], msg: `${address}: ${why ?? ''}` })))
  const [versions, [time]] = await Promise.all([
    ask.store.query(versionsWatched, { owner: ownerOf(ask), list, keys: members.map(({ key }) => key) }, VersionRow, {}, ask.signal), ask.store.query(storeTime, {}, z.object({ now: z.number() }), {}, ask.signal),
  ])
  const before = new Map(versions.map((row) => [row.key, row]))
  const added = members.filter(({ key }) => before.get(key)?.removed !== false)
  if (held + added.length > most.addressesOfList) throw invalid([{ type: 'too_many', loc: ['body', 'addresses'], msg: `A watch list has at most ${most.addressesOfList} addresses, this one has ${held}` }])
  // What happens to an address counts from here on by the clock that tells when it landed.
  const now = time?.now ?? Date.now()
  const rows = added.map(({ key, base, address, chain }) => ({ owner: ownerOf(ask), list_id: list, key, base, address, chain, added_at: new Date(now).toISOString(), removed: false, version: Math.max(now, (before.get(key)?.version ?? 0) + 1) }))
  if (rows.length > 0) await ask.writer.insert('watched_addresses', rows)
  return { added: added.length, unfollowed: added.filter(({ chain }) => chain === '').length }
}
