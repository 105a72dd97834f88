/** Realised and unrealised results of one address, by token and in all. */
import { z } from 'zod'
import type { Chain } from '../../../schemas/chains.js'
import { Amount, EvmAddress } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import type { Ask } from '../../operation.js'
import { accountSpanOf, type Span } from '../../span.js'
import { dollarsOf } from '../../unpriced.js'
import { untrusted } from '../../untrusted.js'
import { mostTransfers } from '../wallets/profile.js'

const countTransfers = loadSql(import.meta.url, '../wallets/countTransfers.sql')
const listPnl = loadSql(import.meta.url, 'listPnl.sql')
const getGas = loadSql(import.meta.url, 'getGas.sql')
const number = z.number(), whole = z.number().int(), dollars = z.number().nullable()

export const TokenPnl = z.object({
  token: EvmAddress, token_symbol: z.string(), token_decimals: whole.nullable(), buys: whole, sells: whole, bought: Amount, sold: Amount, unpriced_in: Amount,
  held: Amount.nullable().describe('null, as all that is reckoned move by move: too_many_moves'), held_unpriced: Amount.nullable(), volume_usd: number, realised_usd: dollars.describe('null, as realised_usd_fifo: of no sale is the cost known, or a flag says why'), realised_usd_fifo: dollars, closed: whole.nullable(), wins: whole.nullable(),
  cost_usd: dollars, price_usd: dollars, price_method: z.string().nullable(), unrealised_usd: dollars, unknown_share: dollars,
  flags: z.array(z.enum(['rebasing', 'taxed', 'wash', 'too_many_moves'])),
})
export const Totals = z.object({
  tokens: whole, trades: whole, closed: whole, wins: whole, realised_usd: dollars.describe('null, as realised_usd_fifo: of no sale is the cost known'), realised_usd_fifo: dollars, gas_wei: Amount, gas_usd: dollars.describe('Of what has a price; null: nothing has'), gas_unpriced: whole.describe('Transactions whose gas has no price'), net_usd: dollars.describe('Realised less gas; null: one of them is'),
  unrealised_usd: dollars, unrealised_unpriced: whole.describe('Held tokens not in it'), too_many_moves: whole.describe('Tokens in no result'), unknown_share: dollars.describe('Of what was sold, the share whose cost is not known; null: nothing was sold'),
})
const Row = TokenPnl.extend({
  token_symbol: z.string().transform((text) => untrusted(text)), rank_usd: number, all_usd: number, all_fifo_usd: number, all_unrealised_usd: dollars, all_unvalued: whole, all_unfolded: whole, all_closed: whole, all_wins: whole, all_sales: whole, all_tokens: whole, all_unknown: dollars,
})
const Gas = z.object({ trades: whole, gas_wei: Amount, gas_usd: number, gas_unpriced: whole, sides: whole })

export interface Pnl { readonly totals: z.infer<typeof Totals> | null; readonly rows: readonly z.infer<typeof Row>[]; readonly span: Span | null; /** true: nothing was reckoned, as it moved too often. */ readonly crowded?: boolean }

/** Warning of an answer that is `crowded`. */
export const tooCrowded = `It took part in more than ${mostTransfers} transfers: what it earned is not reckoned while somebody waits`

/** Below every row: where a list begins. */
export const topOfList = [Number.MAX_VALUE, '~'] as const

/** The totals of `address` (lower case) and up to `limit` tokens below a position; closings of the last `days` count, all where null. totals null: it traded nothing, or is crowded: what it moved is read whole, and pools and routers moved tens of millions of times. */
export const readPnl = async (chain: Chain, address: string, options: { readonly days: number | null; readonly limit: number; readonly below?: readonly [number, string]; /** The end of the span (Unix milliseconds): pages of one list share it. */ readonly until?: number }, ask: Ask): Promise<Pnl> => {
  const span = await accountSpanOf(chain, 1, ask, false, options.until)
  if (span === null) return { totals: null, rows: [], span }
  const params = { chain: span.chain, address: address.slice(2), upto: span.newest, since: options.days === null ? 0 : Math.floor(span.to / 1_000) - options.days * 86_400 }
  const [moved] = await ask.store.query(countTransfers, { chain: span.chain, addresses: [params.address] }, z.object({ transfers: number }))
  if (moved !== undefined && moved.transfers > mostTransfers) return { totals: null, rows: [], span, crowded: true }
  const [gas] = await ask.store.query(getGas, params, Gas)
  const [traded] = gas?.sides === 0 && options.days !== null ? await ask.store.query(getGas, { ...params, since: 0 }, Gas) : [gas]
  if (gas === undefined || traded?.sides === 0) return { totals: null, rows: [], span }
  const [below_usd, below_token] = options.below ?? topOfList
  const rows = await ask.store.query(listPnl, { ...params, first: span.first, newest: span.newest, below_usd, below_token, limit: options.limit }, Row, {}, ask.signal)
  const [first] = rows
  if (first === undefined) return { totals: null, rows, span }
  const unknown = first.all_sales > 0 && first.all_closed === 0, burnt = dollarsOf(gas.gas_unpriced > 0, gas.gas_usd)
  const totals = {
    tokens: first.all_tokens, trades: gas.trades, closed: first.all_closed, wins: first.all_wins, realised_usd: unknown ? null : first.all_usd, realised_usd_fifo: unknown ? null : first.all_fifo_usd, gas_wei: gas.gas_wei, gas_usd: burnt, gas_unpriced: gas.gas_unpriced,
    net_usd: unknown || burnt === null ? null : first.all_usd - burnt, unrealised_usd: first.all_unrealised_usd, unrealised_unpriced: first.all_unvalued, too_many_moves: first.all_unfolded, unknown_share: first.all_sales === 0 ? null : first.all_unknown,
  }
  return { totals, rows, span }
}
