/** How busy addresses are: how much each moved, and with how many others. It stands as long as the ledger, and trails meet the same services again and again. */
import { z } from 'zod'
import { loadSql } from '../../../../schemas/sql.js'
import type { Ask } from '../../../operation.js'
import { partsOf } from '../../../partsOf.js'

const countMoves = loadSql(import.meta.url, 'countMoves.sql')
const countOthers = loadSql(import.meta.url, 'countOthers.sql'), countBtcOthers = loadSql(import.meta.url, 'countBtcOthers.sql')
const Moves = z.object({ address: z.string(), transfers: z.number() })
const Others = z.object({ address: z.string(), counterparties: z.number() })

/** transfers it took part in; counterparties: null where they are not counted. */
export interface Busyness { readonly transfers: number; readonly counterparties: number | null }

/** From how many transfers on others are counted, and up to how many: above it an address is busy enough without. */
export const counted = { few: 1_000, many: 20_000 } as const
/** Others of Bitcoin's addresses are counted in so many of the newest transactions of one, and of all of a question: so many addresses have room in it, and none is cut short for the sake of another. */
const newestTxs = { each: 1_500, most: 6_000 } as const
const others = { ETH: { statement: countOthers, together: Number.MAX_SAFE_INTEGER }, BTC: { statement: countBtcOthers, together: newestTxs.most / newestTxs.each } } as const
const mostHeld = 20_000
const idle: Busyness = { transfers: 0, counterparties: null }

/** Others are counted of the few that are neither quiet nor plainly busy, by a statement of their own: in the usual one they would be planned every time. */
const read = async (addresses: readonly string[], chain: string, ask: Ask): Promise<ReadonlyMap<string, Busyness>> => {
  const asked = (some: readonly string[]) => ({ chain, addresses: some.map((address) => address.slice(2)) })
  // Swaps are looked for beside it: on a thread of its own it takes as long, and leaves them theirs.
  const moves = await ask.store.query(countMoves, asked(addresses), Moves, { max_threads: 1 })
  const between = moves.filter(({ transfers }) => transfers >= counted.few && transfers <= counted.many).map(({ address }) => address)
  const { statement, together } = others[chain === 'BTC' ? 'BTC' : 'ETH']
  const found = new Map((await Promise.all(partsOf(between, together).map((part) => ask.store.query(statement, { ...asked(part), ...newestTxs }, Others)))).flat().map((one) => [one.address, one.counterparties]))
  return new Map(moves.map(({ address, transfers }) => [address, { transfers, counterparties: found.get(address) ?? null }]))
}

/** What was read of a chain's addresses since the ledger grew. */
const heldOf = async (chain: string, ask: Ask): Promise<Map<string, Busyness>> => (await ask.services.coverage.view()).kept.once(`busyness ${chain}`, () => Promise.resolve(new Map<string, Busyness>()))
/** Of an address, where it is at hand. */
export const knownBusyness = async (address: string, chain: string, ask: Ask): Promise<Busyness | undefined> => (await heldOf(chain, ask)).get(address)

/** Of each of `addresses` (0x and 40 hex digits, lower case). */
export const readBusyness = async (addresses: readonly string[], chain: string, ask: Ask): Promise<(address: string) => Busyness> => {
  const held = await heldOf(chain, ask)
  const missing = addresses.filter((address) => !held.has(address))
  const found = new Map(addresses.map((address) => [address, held.get(address) ?? idle]))
  if (missing.length > 0) for (const [address, one] of await read(missing, chain, ask)) found.set(address, one)
  if (held.size + missing.length > mostHeld) held.clear()
  for (const address of missing) held.set(address, found.get(address) ?? idle)
  return (address) => found.get(address) ?? idle
}
