/** The last hour of chains, in numbers. */
import { z } from 'zod'
import { chains, type Chain } from '../../../schemas/chains.js'
import { Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import type { Ask } from '../../operation.js'
import { unknownWarnings } from '../../known.js'
import { missingWarnings, spansOf } from '../../span.js'
import { allUnpriced, sumOfKnown, unpricedOf, unpricedWarnings } from '../../unpriced.js'
import { forcedKnown } from '../perps/forced.js'
import { madeWarning } from '../perps/made.js'

const getNetworkSummary = loadSql(import.meta.url, 'getNetworkSummary.sql')
const getVenueSummary = loadSql(import.meta.url, 'getVenueSummary.sql')
/** Clocks differ by so much; what claims to be later would be the end of an hour that has yet to come. */
const aheadMs = 60_000, hourMs = 3_600_000

const Perps = z.object({ trades: z.number(), volume_usd: z.number(), liquidations: z.number().nullable().describe('Called forced by the venue; null, as liquidated_usd: none was heard and no node\'s files told of all of it'), liquidated_usd: z.number().nullable() })
const Counts = z.object({ blocks: z.number(), transactions: z.number(), logs: z.number(), transfers: z.number(), swaps: z.number() })
export const Hourly = z.object({
  blocks: z.number().nullable().describe('This and the next four are null on a venue, which has none'), transactions: z.number().nullable(), logs: z.number().nullable(), transfers: z.number().nullable(), swaps: z.number().nullable(),
  alerts: z.number(), whale_usd: z.number().nullable().describe('USD of the whales; null: no block of the chain has a price of its coin'), perps: Perps.nullable().describe('Of the perps venue, in the hour that ends at its newest trade; null: not asked for, or nothing was heard'),
}).describe('The hour that ends at the newest indexed block')
const Row = Counts.extend({ alerts: z.number(), whale_usd: z.number(), latest_block: z.number().int(), latest_block_time: Instant, whales: z.number() })
const VenueRow = Perps.extend({ liquidations: z.number(), liquidated_usd: z.number(), latest_time: Instant, alerts: z.number(), whales: z.number(), whale_usd: z.number(), made: z.boolean() })

export const Network = z.object({
  latest_block: z.number().int().nullable().describe('Newest indexed height; null: none, an aggregate or a venue'), latest_block_time: Instant.nullable().describe('On a venue, of its newest trade'), hourly: Hourly.nullable().describe('null: nothing is indexed'),
  whales_1h: z.number().nullable().describe('Movements from 100,000 USD in that hour; on the venue, trades and liquidations'),
})

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** Of one chain or venue, or added up over them all; `warnings` belong to its coverage. */
export const readNetwork = async (chain: Chain, ask: Ask): Promise<{ readonly network: z.infer<typeof Network>; readonly warnings: readonly string[] }> => {
  const asked = chains.filter((one) => one.status === 'live' && (chain.status === 'aggregate' || one.id === chain.id))
  const venue = chain.status === 'aggregate' || chain.status === 'perps-only'
  const [found, [heard], spans] = await Promise.all([
    Promise.all(asked.map((one) => ask.store.query(getNetworkSummary, { chain: one.id }, Row))),
    venue ? ask.store.query(getVenueSummary, { ahead: Date.now() + aheadMs }, VenueRow) : [],
    spansOf(chain, 1, ask),
  ])
  const [unpriced, view] = await Promise.all([unpricedOf(spans, ask), ask.services.coverage.view()])
  const rows = found.flat()
  const single = chain.status === 'aggregate' ? undefined : rows[0]
  const all = heard === undefined ? rows : [...rows, heard]
  // What a chain moved in an hour without a price is worth nothing known.
  const unvalued = allUnpriced(unpriced)
  const valued = [...found.flatMap((counted, place) => counted.map(({ whales, whale_usd: usd }) => (unvalued.has(asked[place]?.id ?? '') ? { whales: null, usd: null } : { whales, usd }))), ...(heard === undefined ? [] : [{ whales: heard.whales, usd: heard.whale_usd }])]
  const of = (name: keyof z.infer<typeof Counts>): number | null => (rows.length === 0 ? null : sum(rows.map((row) => row[name])))
  const { known, warnings } = heard === undefined ? { known: (total: number) => total, warnings: [] } : await forcedKnown([heard.liquidations], Date.parse(heard.latest_time) - hourMs, ask)
  const hourly = all.length === 0 ? null : {
    blocks: of('blocks'), transactions: of('transactions'), logs: of('logs'), transfers: of('transfers'), swaps: of('swaps'), alerts: sum(all.map(({ alerts }) => alerts)), whale_usd: sumOfKnown(valued.map(({ usd }) => usd)),
    perps: heard === undefined ? null : Perps.parse({ ...heard, liquidations: known(heard.liquidations), liquidated_usd: known(heard.liquidated_usd) }),
  }
  const newestTrade = Date.parse(heard?.latest_time ?? '')
  const time = chain.status === 'perps-only' ? heard?.latest_time : single?.latest_block_time
  return {
    network: { latest_block: single?.latest_block ?? null, latest_block_time: time ?? null, hourly, whales_1h: all.length === 0 ? null : sumOfKnown(valued.map(({ whales }) => whales)) },
    warnings: [...warnings, ...missingWarnings(spans), ...(heard === undefined ? [] : unknownWarnings(view, 'HL', newestTrade - hourMs, newestTrade)), ...unpricedWarnings(unpriced), ...(heard?.made === true ? [madeWarning] : [])],
  }
}
