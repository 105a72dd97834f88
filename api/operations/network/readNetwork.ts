/** The last hour of chains, in numbers. */
import { z } from 'zod'
import { chains, type Chain } from '../../../schemas/chains.js'
import { Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import type { Ask } from '../../operation.js'

const getNetworkSummary = loadSql(import.meta.url, 'getNetworkSummary.sql')

export const Hourly = z.object({
  blocks: z.number(), transactions: z.number(), logs: z.number(), transfers: z.number(), swaps: z.number(), alerts: z.number(), whale_usd: z.number().describe('USD of the whales'),
}).describe('The hour that ends at the newest indexed block')
const Row = Hourly.extend({ latest_block: z.number().int(), latest_block_time: Instant, whales: z.number() })

export const Network = z.object({
  latest_block: z.number().int().nullable().describe('Newest indexed height; null: none, or an aggregate'), latest_block_time: Instant.nullable(), hourly: Hourly.nullable().describe('null: nothing is indexed'),
  whales_1h: z.number().nullable().describe('Movements from 100,000 USD in that hour'),
})

const sum = (rows: readonly z.infer<typeof Row>[], name: Exclude<keyof z.infer<typeof Row>, 'latest_block' | 'latest_block_time'>): number => rows.reduce((total, row) => total + row[name], 0)

/** Of one chain, or added up over the live ones. */
export const readNetwork = async (chain: Chain, ask: Ask): Promise<z.infer<typeof Network>> => {
  const asked = chains.filter((one) => one.status === 'live' && (chain.status === 'aggregate' || one.id === chain.id))
  const rows = (await Promise.all(asked.map((one) => ask.store.query(getNetworkSummary, { chain: one.id }, Row)))).flat()
  const single = chain.status === 'aggregate' ? undefined : rows[0]
  const hourly = rows.length === 0 ? null : {
    blocks: sum(rows, 'blocks'), transactions: sum(rows, 'transactions'), logs: sum(rows, 'logs'), transfers: sum(rows, 'transfers'), swaps: sum(rows, 'swaps'), alerts: sum(rows, 'alerts'), whale_usd: sum(rows, 'whale_usd'),
  }
  return { latest_block: single?.latest_block ?? null, latest_block_time: single?.latest_block_time ?? null, hourly, whales_1h: rows.length === 0 ? null : sum(rows, 'whales') }
}
