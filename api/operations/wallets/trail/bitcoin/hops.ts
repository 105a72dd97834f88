/** What the statements of a trail on Bitcoin answer. */
import { z } from 'zod'
import { loadSql } from '../../../../../schemas/sql.js'
import type { Ask } from '../../../../operation.js'
import type { Bounds, Found } from '../branches.js'
import { Left } from '../rests.js'

const roots = loadSql(import.meta.url, 'roots.sql')
const hopBack = loadSql(import.meta.url, 'hopBack.sql')
const hopOn = loadSql(import.meta.url, 'hopOn.sql')

const Root = z.object({ txid: z.string(), vout: z.number(), amount: z.string(), all_moves: z.number(), all_amount: z.string(), all_usd: z.number().nullable(), priced_usd: z.number() })
const Branch = z.object({
  kind: z.enum(['coins', 'coinbase', 'coinjoin', 'unresolved', 'fee', '']), near: z.string(), far: z.string(), outside: z.coerce.boolean(), transfers: z.number(), amount: z.string(), value_usd: z.number().nullable(), tx_hash: z.string(), largest: z.string(),
  detector: z.string(), sure: z.number(), first_seen: z.string().nullable(), last_seen: z.string().nullable(), fifo: z.string().nullable(), haircut: z.string().nullable(), lifo: z.string().nullable(), mask: z.string(), rank: z.number(), items: z.array(z.array(z.string())),
})
const amount = z.string().default('0')
const Totals = z.object({
  all_fifo: amount, all_haircut: amount, all_lifo: amount, held_fifo: amount, held_haircut: amount, held_lifo: amount, unknown_fifo: amount, unknown_haircut: amount, unknown_lifo: amount, all_branches: z.number().default(0), left: z.array(Left).default([]),
})
export type BitcoinRoot = z.infer<typeof Root>

export const coin = `0x${'00'.repeat(20)}`
/** Rows of a frontier at most: [txid, vout, address, haircut, mask, lifo, then (start, length)…]. They travel with the statement. */
export const mostRows = 1_000
const mostItems = 100

/** A branch with why it can only end (its kind, '' where it goes on), the bits that poison it, and of a CoinJoin who found it and how sure that is, 0 to 100. */
export interface BitcoinBranch extends Found { readonly ending: '' | 'coinbase' | 'coinjoin' | 'unresolved' | 'fee'; readonly mask: bigint; readonly detector: string; readonly sure: number }
export interface Hop extends z.infer<typeof Totals> { readonly branches: readonly BitcoinBranch[] }

export const readBitcoinRoots = (id: string, { chain, source, upto, since, until }: Bounds, ask: Ask): Promise<BitcoinRoot[]> =>
  ask.store.query(roots, { chain, source, address: id, upto, since, until, limit: mostRows }, Root, {}, ask.signal)

/** One hop from `frontier`; `poison` says what a mask stands for. */
export const readBitcoinHop = async (frontier: readonly string[][], skip: number, poison: (mask: bigint) => bigint, { chain, source, upto, since, until, limit }: Bounds, ask: Ask): Promise<Hop> => {
  const rows = await ask.store.query(source ? hopBack : hopOn, { chain, frontier, upto, since, until, skip, limit, items: mostItems }, Branch.extend(Totals.shape), {}, ask.signal)
  const [first] = rows
  const totals = Totals.parse(first ?? {})
  return {
    ...totals,
    branches: rows.filter(({ kind }) => kind !== '').map(({ kind, mask, ...row }) => ({
      ...row, root: coin, token: coin, gap: kind === 'unresolved' || row.fifo === null ? 'unresolved' : '', worth: null, unpriced: 0, poison: `${poison(BigInt(mask))}`, mask: BigInt(mask), ending: kind === 'coins' || kind === '' ? '' : kind,
    })),
  }
}
