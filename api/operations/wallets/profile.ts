/** What the store knows of one address on one chain. */
import { z } from 'zod'
import type { Chain } from '../../../schemas/chains.js'
import { Address, Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { fits, idOf } from '../../addresses.js'
import type { Ask } from '../../operation.js'
import { spanOf, storedChain } from '../../span.js'
import { dollarsOf } from '../../unpriced.js'
import { knownByCluster } from '../bitcoin/owners.js'
import { readRules } from '../labels/byRules.js'
import { mostStatements, readSaid, Statement } from '../labels/statement.js'
import { Balance, BalanceRow, balancesOf } from './balance.js'
import { OwnCluster, readCluster } from './cluster.js'
import { incomplete, readDealings } from './dealings.js'

const getWallet = loadSql(import.meta.url, 'getWallet.sql')
const countUnpriced = loadSql(import.meta.url, 'countUnpriced.sql')
const listBalances = loadSql(import.meta.url, 'listBalances.sql')

/** An address with more transfers than this is not summed while somebody waits. */
export const mostTransfers = 3_000_000

export const Profile = z.object({
  first_seen: Instant, last_seen: Instant, first_block: z.number().int(), last_block: z.number().int(), transfers_in: z.number().int(), transfers_out: z.number().int(), usd_in: z.number().nullable().describe('Of what has a price; null, as usd_out: nothing of it has'), usd_out: z.number().nullable(),
  unpriced: z.number().int().nullable().describe('Transfers without a price, as those of NFTs: in no sum by dollars; null: too many transfers to count them at once'),
})
const Row = Profile.omit({ unpriced: true }).extend({ usd_in: z.number(), usd_out: z.number() })
const Counterparty = z.object({
  address: Address, label: z.string(), entity: z.string(), classification: z.string(), transfers_in: z.number().int(), transfers_out: z.number().int(), usd_in: z.number().nullable().describe('null, as usd_out: nothing of it has a price (on BTC, or a known amount)'), usd_out: z.number().nullable(),
  unpriced: z.number().int().describe('Transfers without a price: in no sum by dollars'),
  cluster: knownByCluster,
})
export const Known = z.object({
  profile: Profile.nullable().describe('null: it never moved anything of value; who only sent transactions without any is not looked for'), balances: z.array(Balance).nullable().describe('The 50 worth most at most; without a price, those that moved most often. null: not indexed, or too busy to be summed at once'), counterparties: z.array(Counterparty).nullable().describe('The 10 with the most USD at most. Of Bitcoin by shares of inputs, a transaction once each way; the zero address: newly mined, or not known'),
  counterparties_complete: z.boolean().optional().describe(incomplete),
  classes: z.array(z.string()).describe('Every class some source gives'), labels: z.array(Statement),
  btc_cluster: OwnCluster.nullable().optional().describe('Of BTC: evidence beside labels; null: clusters have looked at no block'),
})
export type Known = z.infer<typeof Known>

const saying = (said: Statement[]): { classes: string[]; labels: Statement[] } => ({ classes: [...new Set(said.map(({ classification }) => classification))].filter((name) => name !== 'unknown').sort(), labels: said.slice(0, mostStatements) })

/** Where nobody counted what has no price: without a dollar nothing that moved had one. */
const valued = <One extends { readonly transfers_in: number; readonly transfers_out: number; readonly usd_in: number | null; readonly usd_out: number | null }>(one: One) =>
  ({ ...one, usd_in: dollarsOf(one.transfers_in > 0, one.usd_in ?? 0), usd_out: dollarsOf(one.transfers_out > 0, one.usd_out ?? 0) })

/** Everything known of `address`: labels only where the chain's movements are not stored or the address is of another kind. */
export const readKnown = async (address: string, chain: Chain, ask: Ask): Promise<Known> => {
  const stored = storedChain(chain)
  if (stored === null || !fits(address, stored, ask)) return { profile: null, balances: null, counterparties: null, ...saying(await readSaid(chain.id, address, null, ask)) }
  const params = { chain: stored, address: idOf(address, stored) }
  const [[row], statements, span, view, cluster] = await Promise.all([
    ask.store.query(getWallet, params, Row), readSaid(stored, address, null, ask), spanOf(chain, 1, ask), ask.services.coverage.view(), stored === 'BTC' ? readCluster(params, ask) : undefined,
  ])
  const said = { ...saying(statements), ...(cluster === undefined ? {} : { btc_cluster: cluster }) }
  if (row === undefined) return { profile: null, balances: span === null ? null : [], counterparties: span === null ? null : [], ...said }
  const transfers = row.transfers_in + row.transfers_out
  if (span === null || transfers > mostTransfers) return { profile: { ...valued(row), unpriced: null }, balances: null, counterparties: null, ...said }
  const [balances, counterparties, [unpriced]] = await Promise.all([
    ask.store.query(listBalances, { ...params, first: span.first, newest: span.newest }, BalanceRow), readDealings({ ...params, transfers, own: cluster?.cluster }, false, Counterparty, ask),
    ask.store.query(countUnpriced, params, z.object({ ins: z.number(), outs: z.number() })),
  ])
  const { ins, outs } = unpriced ?? { ins: 0, outs: 0 }
  const profile = { ...row, usd_in: ins > 0 && ins >= row.transfers_in ? null : row.usd_in, usd_out: outs > 0 && outs >= row.transfers_out ? null : row.usd_out, unpriced: ins + outs }
  const rules = await readRules(counterparties.rows.map(({ address: other }) => other), stored, ask)
  return { profile, balances: balancesOf(balances, view.bounds.get(stored)), counterparties: counterparties.rows.map((one) => (stored === 'BTC' ? valued(one) : rules(one))), counterparties_complete: counterparties.complete, ...said }
}
