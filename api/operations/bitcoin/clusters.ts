/** What answers about Bitcoin's clusters share: how far they are, by which detectors, and merges that were not made. */
import { z } from 'zod'
import { Address, Hash } from '../../../schemas/primitives.js'
import { findChain } from '../../../schemas/chains.js'
import { toleratedWaiting } from '../../assess.js'
import { emptyBecause, type Empty } from '../../empty.js'
import type { Ask } from '../../operation.js'

/** Detectors of CoinJoins, in the order in which they are asked. */
export const detectorNames = ['whirlpool', 'wasabi2', 'wasabi1', 'joinmarket', 'generic'] as const
export const detectors = detectorNames.map((name) => ({ name, version: 5 }))

export const clusterHeight = z.number().int().nullable().describe('Highest block clusters have seen')
/** The highest block clusters have seen; null: none. */
export const readHeight = async (ask: Ask): Promise<number | null> => (await ask.store.query(
  "SELECT toFloat64(maxOrNull(block_number)) AS height FROM btc_cluster_blocks WHERE chain = 'BTC'", {}, z.object({ height: z.number().nullable() })))[0]?.height ?? null

/** Blocks by which clusters may be behind the newest: they look now and then, at what enrich is through with. */
const mostBehind = 2 * (() => { const chain = findChain('BTC'); return chain === undefined ? 0 : toleratedWaiting(chain) })()
/** For `empty`: who was in no cluster up to a height may be in one of the blocks above it. */
export const emptyUnlessClustered = async ({ as_of_height: height }: { readonly as_of_height: number | null }, ask: Ask): Promise<Empty | null> => {
  const newest = (await ask.services.coverage.view()).bounds.get('BTC')?.newest
  return newest === undefined || (height !== null && height >= newest - mostBehind) ? null : emptyBecause('data_gap')
}

const Side = z.object({ cluster: z.string().nullable().describe('Which it is in today; null: none'), address: Address.nullable().describe('Where it was in no cluster then'), name: z.string(), size: z.number().int() })
export const HeldMerge = z.object({ block_number: z.number().int(), tx_hash: Hash, sides: z.array(Side).describe('Names and sizes as they were then; name empty: none') })
export const HeldRow = z.object({ block_number: z.number(), tx_index: z.number(), tx_hash: z.string(), sides: z.array(z.tuple([z.string(), z.string(), z.string(), z.number()])) })
export const ofHeld = ({ tx_index: _, sides, ...row }: z.infer<typeof HeldRow>): z.infer<typeof HeldMerge> => (
  { ...row, sides: sides.map(([cluster, address, name, size]) => ({ cluster: cluster === '' ? null : cluster, address: address === '' ? null : address, name, size })) })
