/** What the risk of an address is made of. A score that nobody has computed is null with the reason: it is never taken for low. */
import { z } from 'zod'
import { Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { fits, idOf, labelKey } from '../../addresses.js'
import type { Ask } from '../../operation.js'
import { byClusterNow } from '../bitcoin/owners.js'
import { readCluster, type OwnCluster } from './cluster.js'
import { readDealings } from './dealings.js'
import { leastVolumeOf, type RiskRule } from './trail/scores.js'
import { busyTransfers } from './trail/unlessBusy.js'

const getBestLabel = loadSql(import.meta.url, 'getBestLabel.sql')
const listOwnTxs = loadSql(import.meta.url, 'listOwnTxs.sql')
const countIntents = { ETH: loadSql(import.meta.url, 'countIntents.sql'), BTC: loadSql(import.meta.url, 'countBtcIntents.sql') } as const
const countTransfers = loadSql(import.meta.url, 'countTransfers.sql'), getDirectRisk = loadSql(import.meta.url, 'getDirectRisk.sql')

const score = z.number().int().min(0).max(100).nullable()
export const Level = z.enum(['severe', 'high', 'medium', 'low'])
export const Part = z.object({ score, reason: z.string() })
export const Exposure = z.object({ classification: z.string(), counterparties: z.number().int(), by_cluster_now: byClusterNow, transfers_in: z.number().int(), transfers_out: z.number().int(), usd_in: z.number(), usd_out: z.number(), unpriced: z.number().int().describe('Transfers without a price, or on Bitcoin of an unknown amount'),
  usd_weighed: z.number().optional().describe('Of usd_in and usd_out, in the coin and listed tokens: nothing else weighs in scores. Not of Bitcoin: all of it does'), unpriced_weighed: z.number().int().optional().describe('As there, of unpriced'),
  confidence: z.number().int().min(0).max(100).nullable().describe('Of the labels, rules or clusters (50 at most) that say so, by value that weighs; 100 of official ones; null: nobody says what they are, or nothing of it has a price'),
})
export const EntityLabel = z.object({ label: z.string(), entity: z.string(), classification: z.string(), source: z.string(), confidence: z.number().int(), official: z.boolean() })
export const Intent = z.object({ intent: z.string(), transactions: z.number().int(), value_usd: z.number().nullable(), first_seen: Instant, last_seen: Instant })

export interface Facts {
  readonly label: z.infer<typeof EntityLabel> | null
  /** Evidence beside labels; null: clusters have looked at nothing; undefined: of another chain. */
  readonly cluster: OwnCluster | null | undefined
  /** null: not looked into, because the chain is not stored, the address is of another kind or has too many transfers. */
  readonly exposures: z.infer<typeof Exposure>[] | null
  /** Whether all its transactions were looked through for them, and whether they are all there are; undefined where that goes without saying. */
  readonly exposuresLooked: boolean | undefined
  readonly exposuresComplete: boolean | undefined
  /** Dollars beside them of which nobody knows with whom, at most: of CoinJoins, and where an input is unresolved. */
  readonly unassigned: number
  /** null: as there. */
  readonly intents: z.infer<typeof Intent>[] | null
}

/** Newest transactions with value of an address that are looked into for their purpose. */
const newestTxs = 300
/** What those of the newest transactions with its value that the address sent were for. */
const intentsOf = async (params: { readonly chain: string; readonly address: string }, ask: Ask): Promise<z.infer<typeof Intent>[]> => {
  const found = await ask.store.query(listOwnTxs, { ...params, limit: newestTxs }, z.object({ block: z.number(), hash: z.string() }))
  return found.length === 0 ? [] : ask.store.query(countIntents[params.chain === 'BTC' ? 'BTC' : 'ETH'], { ...params, blocks: [...new Set(found.map(({ block }) => block))], hashes: found.map(({ hash }) => hash) }, Intent)
}

/** Everything the store knows about the risk of `address`; `stored` is null where the chain is not. */
export const factsOf = async (address: string, chain: string, stored: string | null, ask: Ask): Promise<Facts> => {
  const params = { chain: stored ?? chain, address: labelKey(address, stored ?? chain) }
  const bare = { chain: params.chain, address: idOf(address, params.chain) }
  const { bounds } = await ask.services.coverage.view()
  const looked = stored !== null && fits(address, stored, ask) && (stored === 'ETH' || bounds.has(stored))
  const [[label], [activity], cluster] = await Promise.all([
    ask.store.query(getBestLabel, params, EntityLabel), looked ? ask.store.query(countTransfers, { chain: stored, addresses: [bare.address] }, z.object({ transfers: z.number() })) : [],
    stored === 'BTC' && fits(address, stored, ask) ? readCluster(bare, ask) : undefined,
  ])
  const busy = (activity?.transfers ?? 0) > busyTransfers
  const [exposures, intents] = await Promise.all([
    !looked || busy ? null : readDealings({ ...bare, transfers: activity?.transfers ?? 0, own: cluster?.cluster }, true, Exposure, ask), !looked || busy || !bounds.has(bare.chain) ? null : intentsOf(bare, ask),
  ])
  return { label: label ?? null, cluster, exposures: exposures?.rows ?? null, exposuresLooked: exposures?.looked, exposuresComplete: exposures?.complete, unassigned: exposures?.unassigned ?? 0, intents }
}

/** What its direct dealings with risky addresses weigh at least, 0 to 100, as list_risky_wallets has it; `looked` are the facts of `address` on the chain `stored`. 0 where its dealings were not looked into, or on Bitcoin not all of them. */
export const directRiskOf = async (address: string, stored: string | null, rule: RiskRule, { exposures, exposuresLooked, unassigned }: Facts, ask: Ask): Promise<number> => {
  if (exposures === null || stored === null) return 0
  if (stored === 'BTC') return exposuresLooked === true ? leastVolumeOf(exposures, unassigned, rule) : 0
  const params = { chain: stored, address: idOf(address, stored), categories: [...rule.weights.keys()], weights: [...rule.weights.values()], own_confidence: rule.own_confidence }
  return (await ask.store.query(getDirectRisk, params, z.object({ score: z.number() }), {}, ask.signal))[0]?.score ?? 0
}
