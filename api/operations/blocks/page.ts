/** Pages of blocks: what /v1/blocks/recent and /v1/blocks/{chain} share. */
import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause, type Empty } from '../../empty.js'
import { unfit } from '../../faults.js'
import { blockChainOf, endOfTime, millis } from '../../fields.js'
import type { Ask } from '../../operation.js'
import { firstOf } from '../../span.js'
import { Block } from './block.js'

const listBlocks = loadSql(import.meta.url, 'listBlocks.sql'), listBtcBlocks = loadSql(import.meta.url, 'listBtcBlocks.sql')
export const BlockPage = z.object({
  chain: z.string(), count: z.number().int(), blocks: z.array(Block), next_cursor: z.string().nullable(), has_more: z.boolean(), coverage_status: CoverageStatus,
})
export interface Wanted { readonly chain: string; readonly limit: number; readonly offset: number; readonly since?: string | undefined; readonly until?: string | undefined; readonly cursor?: string | undefined }

/** Why a page has no block, where no beginning was asked for: who passed over all that are indexed asked for those below, which the chain has, and the index has not. */
export const emptyOfBlocks = async ({ chain }: { readonly chain: string }, ask: Ask, { since }: Pick<Wanted, 'since'>): Promise<Empty | null> => {
  const bounds = since === undefined ? (await ask.services.coverage.view()).bounds.get(chain) : undefined
  return bounds !== undefined && bounds.oldest > firstOf(chain) ? emptyBecause('data_gap') : null
}

/** One page of `operation`; a chain without a pipeline has none, and its coverage says so. */
export const blockPage = async (operation: string, wanted: Wanted, ask: Ask): Promise<z.infer<typeof BlockPage>> => {
  const chain = blockChainOf(wanted.chain)
  const { cursors, coverage } = ask.services
  if (wanted.cursor !== undefined && wanted.offset > 0) throw unfit('offset', 'Give cursor or offset, not both')
  const inputs = { chain: chain.id, since: wanted.since, until: wanted.until }
  const below = wanted.cursor === undefined ? '18446744073709551615' : cursors.read(operation, inputs, wanted.cursor, z.number().int().min(0))
  const status = await coverage.status(chain.id)
  const rows = chain.status !== 'live' ? [] : await ask.store.query(chain.id === 'BTC' ? listBtcBlocks : listBlocks, {
    chain: chain.id, below, since: millis(wanted.since) ?? 0, until: millis(wanted.until) ?? endOfTime, limit: wanted.limit + 1, offset: wanted.offset,
  }, Block)
  const blocks = rows.slice(0, wanted.limit)
  const more = rows.length > wanted.limit
  return {
    chain: chain.id, count: blocks.length, blocks, next_cursor: more ? cursors.write(operation, inputs, blocks.at(-1)?.number) : null, has_more: more, coverage_status: status,
  }
}
