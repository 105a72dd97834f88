import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause, type Empty } from '../../empty.js'
import { blockChainOf, blocksField, heightField } from '../../fields.js'
import { operation, type Ask } from '../../operation.js'
import { BlockDetail } from './block.js'
import { readBtcBlock } from './readBtcBlock.js'

const getBlock = loadSql(import.meta.url, 'getBlock.sql'), hasBlock = loadSql(import.meta.url, 'hasBlock.sql')
const hasBtcBlock = loadSql(import.meta.url, 'hasBtcBlock.sql')
const newestBlock = loadSql(import.meta.url, 'newestBlock.sql')
const Newest = z.object({ number: z.number() }), Has = z.object({ time: z.coerce.number() })
interface BlockChain { readonly id: string; readonly status: string }

/** Of what time the block at a height is, Unix milliseconds; null where it is not so far in the store that it could be read, or the chain has no pipeline. */
export const timeOfBlock = async (chain: BlockChain, at: number, ask: Ask): Promise<number | null> =>
  (chain.status === 'live' ? (await ask.store.query(chain.id === 'BTC' ? hasBtcBlock : hasBlock, { chain: chain.id, at }, Has))[0]?.time ?? null : null)

/** The block at a height that timeOfBlock knows of; null where not all of it is there yet. */
export const readKnownBlock = async (chain: BlockChain, at: number, ask: Ask): Promise<z.infer<typeof BlockDetail> | null> =>
  (chain.id === 'BTC' ? readBtcBlock(chain.id, at, ask) : (await ask.store.query(getBlock, { chain: chain.id, at }, BlockDetail))[0] ?? null)

/** One block by height, or the newest; null where it is not (wholly) in the store or the chain has no pipeline. */
export const readBlock = async (chain: BlockChain, height: number | 'newest', ask: Ask): Promise<z.infer<typeof BlockDetail> | null> => {
  const read = async (at: number) => (await timeOfBlock(chain, at, ask) === null ? null : readKnownBlock(chain, at, ask))
  if (height !== 'newest') return read(height)
  const top = chain.status === 'live' ? (await ask.store.query(newestBlock, { chain: chain.id }, Newest))[0]?.number : undefined
  // The newest may still be on its way into the tables.
  return top === undefined ? null : await read(top) ?? (top > 0 ? read(top - 1) : null)
}

/** Why a block is not there, where its height says so: no pipeline is on its way to one below the newest, and that a chain is followed says nothing about a height that is not in the store. */
export const emptyOfHeight = async ({ chain, block_number: height, coverage_status: { tier } }: { chain: string; block_number: number; coverage_status: CoverageStatus }, ask: Ask): Promise<Empty | null> => {
  const bounds = (await ask.services.coverage.view()).bounds.get(chain)
  return tier === 'live' || (bounds !== undefined && height <= bounds.newest) ? emptyBecause('data_gap') : null
}

export default operation({
  name: 'get_block', aliases: ['get_block_by_number'], route: 'GET /v1/blocks/{chain}/{block_number}', auth: 'key', lane: 'blocks', tool: true, cacheSeconds: 60, sources: ['blocks', 'transactions'], rows: 'block',
  summary: 'One block with a summary of its transactions; null where it is not indexed. Use get_feed_block for what happened in it.',
  input: z.object({ chain: blocksField, block_number: heightField }),
  output: z.object({ chain: z.string(), block_number: z.number().int(), block: BlockDetail.nullable(), coverage_status: CoverageStatus }),
  empty: emptyOfHeight,
  run: async (input, ask) => {
    const chain = blockChainOf(input.chain)
    const [block, status] = await Promise.all([readBlock(chain, input.block_number, ask), ask.services.coverage.status(chain.id)])
    return { chain: chain.id, block_number: input.block_number, block, coverage_status: status }
  },
})
