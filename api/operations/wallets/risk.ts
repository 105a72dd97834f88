/** What the risk of an address is made of. A score that nobody has computed is null with the reason: it is never taken for low. */
import { z } from 'zod'
import { Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { fits, idOf, labelKey } from '../../addresses.js'
import type { Ask } from '../../operation.js'
import { readRecord } from '../../readings.js'
import { busyTransfers } from './trail/trace.js'

const listExposures = loadSql(import.meta.url, 'listExposures.sql')
const getBestLabel = loadSql(import.meta.url, 'getBestLabel.sql')
const countTransfers = loadSql(import.meta.url, 'countTransfers.sql')

const score = z.number().int().min(0).max(100).nullable()
export const Level = z.enum(['severe', 'high', 'medium', 'low'])
export const Part = z.object({ score, reason: z.string() })
export const Exposure = z.object({ classification: z.string(), counterparties: z.number().int(), transfers_in: z.number().int(), transfers_out: z.number().int(), usd_in: z.number(), usd_out: z.number(), unpriced: z.number().int().describe('Transfers without a price') })
export const EntityLabel = z.object({ label: z.string(), entity: z.string(), classification: z.string(), source: z.string(), confidence: z.number().int() })
export const Intent = z.object({ intent: z.string(), transactions: z.number().int(), value_usd: z.number().nullable(), first_seen: Instant, last_seen: Instant })

export interface Facts {
  readonly label: z.infer<typeof EntityLabel> | null
  /** null: not looked into, because the chain is not stored, the address is of another kind or has too many transfers. */
  readonly exposures: z.infer<typeof Exposure>[] | null
  readonly intents: z.infer<typeof Intent>[] | null
}

/** Everything the store knows about the risk of `address`; `stored` is null where the chain is not. */
export const factsOf = async (address: string, chain: string, stored: string | null, ask: Ask): Promise<Facts> => {
  const params = { chain: stored ?? chain, address: labelKey(address, stored ?? chain) }
  const bare = { chain: params.chain, address: idOf(address, params.chain) }
  const looked = stored !== null && fits(address, stored) && (stored === 'ETH' || (await ask.services.coverage.view()).bounds.has(stored))
  const [[label], [activity], intents] = await Promise.all([
    ask.store.query(getBestLabel, params, EntityLabel), looked ? ask.store.query(countTransfers, { chain: stored, addresses: [bare.address] }, z.object({ transfers: z.number() })) : [],
    readRecord('wallet_intents', params, Intent, ask),
  ])
  const exposures = !looked || (activity?.transfers ?? 0) > busyTransfers ? null : await ask.store.query(listExposures, bare, Exposure)
  return { label: label ?? null, exposures, intents: intents.length > 0 ? intents : null }
}
