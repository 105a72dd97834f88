/** What the statements of a trail answer: branches of one hop, by root token; and who is at their far end. */
import { z } from 'zod'
import { loadSql } from '../../../../schemas/sql.js'
import type { Ask } from '../../../operation.js'
import { untrusted } from '../../../untrusted.js'
import { readOwners, type ByCluster } from '../../bitcoin/owners.js'
import { readRules } from '../../labels/byRules.js'
import { Left } from './rests.js'
import { readBusyness, type Busyness } from './busyness.js'

const traceRoots = loadSql(import.meta.url, 'traceRoots.sql')
/** Where history is missing no queue is whole: what would follow from one is not planned then. */
const traceHop = { whole: loadSql(import.meta.url, 'traceHop.sql', 'poisoned'), missing: loadSql(import.meta.url, 'traceHop.sql', 'queued') } as const
const findTraded = loadSql(import.meta.url, 'findTraded.sql')
const traceSwaps = loadSql(import.meta.url, 'traceSwaps.sql')
const describeParties = loadSql(import.meta.url, 'describeParties.sql')

/** [block, kind, position, sub, tx_hash, mask, amount, haircut and lifo ('': unknown), tx_index ('': not asked), then (start, length, fifo) of each part]: one move of a branch. */
const Item = z.array(z.string())
export type Item = z.infer<typeof Item>
const Branch = z.object({
  rank: z.number(), far: z.string(), near: z.string(), token: z.string(), outside: z.coerce.boolean(), gap: z.string(), transfers: z.number(), amount: z.string(), value_usd: z.number().nullable(), tx_hash: z.string(), largest: z.string(),
  first_seen: z.string().nullable(), last_seen: z.string().nullable(), fifo: z.string().nullable(), haircut: z.string().nullable(), lifo: z.string().nullable(), poison: z.string(), worth: z.number().nullable(), unpriced: z.number(), items: z.array(Item),
})
const FirstBranch = Branch.extend({ bits: z.array(z.array(z.string())) })
const Root = z.object({ root: z.string(), all_amount: z.string(), given_amount: z.string(), beyond_amount: z.string(), all_usd: z.number().nullable(), rate: z.number().nullable(), priced_usd: z.number(), all_branches: z.number(), total: z.number(), branches: z.array(FirstBranch) })
const Explained = z.object({
  root: z.string(), unknown_fifo: z.string(), unknown_haircut: z.string(), unknown_lifo: z.string(), held_fifo: z.string(), held_haircut: z.string(), held_lifo: z.string(), all_fifo: z.string(), all_haircut: z.string(), all_lifo: z.string(), all_branches: z.number(), left: z.array(Left), branches: z.array(Branch),
})
const Continued = z.object({ branch: z.number(), giver: z.string(), token: z.string(), root: z.string(), item: Item })
/** A transaction with a swap (address is empty), or one in which the address wrapped (trader is empty); tx as findTraded.sql names it. */
const Trade = z.object({ tx: z.string(), trader: z.string(), address: z.string() })
const Party = z.object({ address: z.string(), label: z.string(), entity: z.string(), classification: z.string(), sure: z.number() })
export type Root = z.infer<typeof Root>
export type Explained = z.infer<typeof Explained>
export type Continued = z.infer<typeof Continued>
export type Party = z.infer<typeof Party> & Busyness & ByCluster
/** A branch of one hop that explains moves of `root`, the traced address's token. */
export interface Found extends z.infer<typeof Branch> { readonly root: string }

/** What every statement of one trail is told. */
export interface Bounds { readonly chain: string; readonly source: boolean; readonly upto: number; readonly since: number; readonly until: number; readonly whole: boolean; readonly traced: boolean; readonly limit: number }

const mostMoves = 5_000
const mostItems = 100
const bare = (address: string): string => address.slice(2)

export const readRoots = (address: string, token: string | undefined, skip: number, bounds: Bounds, ask: Ask): Promise<Root[]> =>
  ask.store.query(traceRoots, { ...bounds, address: bare(address), token: bare(token ?? '0x'), skip, items: mostItems }, Root)

/** One hop: `frontier` as traceHop.sql has it, `bits` and `rates` of the roots. */
export const readHop = (frontier: readonly string[][], bits: readonly string[][], rates: readonly string[][], bounds: Bounds, ask: Ask): Promise<Explained[]> =>
  ask.store.query(bounds.whole ? traceHop.whole : traceHop.missing, { ...bounds, frontier, addresses: [...new Set(frontier.map(([address]) => address))], pairs: [...new Set(frontier.map(([address = '', token = '']) => address + token))], bits, rates, moves: mostMoves, items: mostItems }, Explained)

const distinct = (blocks: readonly (string | number | undefined)[]): number[] => [...new Set(blocks.map(Number))]

/** Whose moves a trade can show: who found it, and who traded. */
const sidesOf = (traded: readonly Traded[]): string[] => [...new Set(traded.flatMap((one) => [one[1] ?? '', one.at(-1) ?? ''].filter((address) => address !== '')))]

/** What one branch found in a transaction that is a trade, as traceSwaps.sql has it; the branch's index first. */
export type Traded = readonly string[]

/** Kind of a move that is of no transaction. */
const withdrawal = '3'

/** Where a move's transaction stands in its block; null: what was stored before that was kept has the move's own position there, by which only a transfer of its own (kind 1) can be known. */
const placeOf = ([block = '', kind = '', position = '', , , , , , , txIndex = '']: Item): string | null => (kind !== '1' && txIndex === position ? null : `${block} ${txIndex}`)

/** Of what branches found, that which was traded for. */
export const readTraded = async (branches: readonly (readonly [number, Found])[], { chain }: Bounds, ask: Ask): Promise<Traded[]> => {
  const found = branches.flatMap(([index, { near, token, root, items, fifo }]) => items.filter(([, kind]) => kind !== withdrawal).map((item) => {
    const [block = '', , , , hash = '', mask = '', , haircut = '', lifo = '', , ...parts] = item
    return { place: placeOf(item), one: [String(index), bare(near), bare(token), bare(root), block, hash, fifo === null ? '' : fifoOf(parts), haircut, mask, lifo] as const }
  }))
  if (found.length === 0) return []
  const placed = [...new Set(found.flatMap(({ place }) => place ?? []))].map((place) => place.split(' ').map(Number))
  const hashed = found.flatMap(({ place, one }) => (place === null ? [[one[4], one[5]]] : []))
  const trades = await ask.store.query(findTraded, {
    chain, placed, placedBlocks: distinct(placed.map(([block]) => block)), hashed, hashedBlocks: distinct(hashed.map(([block]) => block)), found: found.map(({ one: [, address, , , block, hash] }) => [address, block, hash]), blocks: distinct(found.map(({ one }) => one[4])),
  }, Trade)
  const traders = new Map(trades.flatMap(({ tx, trader }) => (trader === '' ? [] : [[tx, trader] as const])))
  const wrapped = new Set(trades.map(({ tx, address }) => tx + address))
  return found.flatMap(({ place, one }) => {
    const trader = traders.get(place ?? one[5])
    return trader !== undefined || wrapped.has(one[5] + one[1]) ? [[...one, trader ?? '']] : []
  })
}

/** What was given for it, in the same transactions. */
export const readSwaps = async (traded: readonly Traded[], { chain, source }: Bounds, ask: Ask): Promise<Continued[]> =>
  (traded.length === 0 ? [] : ask.store.query(traceSwaps, { chain, source, found: traded, addresses: sidesOf(traded), blocks: distinct(traded.map((one) => one[4])), hashes: [...new Set(traded.map((one) => one[5]))] }, Continued))

/** Sum of the parts (start, length, fifo) of an item. */
export const fifoOf = (parts: readonly string[]): string => parts.reduce((sum, part, index) => (index % 3 === 2 ? sum + BigInt(part) : sum), 0n).toString()

/** Who addresses are, by registers or else by rules, of Bitcoin or else by clusters (but for `own`, which names none of its members), and how busy. */
export const readParties = async (addresses: readonly string[], chain: string, ask: Ask, own: string | null = null): Promise<Party[]> => {
  if (addresses.length === 0) return []
  const [parties, rules, owners, busyness] = await Promise.all([ask.store.query(describeParties, { chain, addresses: addresses.map(bare) }, Party), readRules(addresses, chain, ask), readOwners(addresses, chain, ask, own), readBusyness(addresses, chain, ask)])
  return parties.map(rules).map(owners).map((party) => ({ ...party, ...busyness(party.address), label: untrusted(party.label, 120), entity: untrusted(party.entity, 120) }))
}
