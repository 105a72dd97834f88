import { z } from 'zod'
import { Amount, Hash, Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { blockChainOf, blocksField, cursorField, endOfTime, limitField, millis, sinceField, untilField, usdField } from '../../fields.js'
import { workedUpTo } from '../../ledgerView.js'
import { openHeightsOf, touches } from '../../openHeights.js'
import { operation } from '../../operation.js'
import { endOf } from '../../span.js'
import { unpricedWithin, withUnpriced } from '../../unpriced.js'
import { Event, EventRow } from './event.js'

const listFeed = { ETH: loadSql(import.meta.url, 'listFeed.sql', 'Bitcoin'), BTC: loadSql(import.meta.url, 'listFeed.sql', 'Ethereum') } as const
const FeedBlock = z.object({
  block_number: z.number().int(), block_hash: Hash, timestamp: Instant, tx_count: z.number().int(), log_count: z.number().int(), gas_used: Amount, internal_complete: z.boolean(),
  whale_count: z.number().int().nullable().describe('null, as whale_usd: no price of the coin, or no transfers, known yet'), whale_usd: z.number().nullable(), event_count: z.number().int().nullable().describe('null: not worked out yet'), events: z.array(Event).describe('The ten most valuable; get_feed_block has all'),
})
const Row = FeedBlock.extend({ events: z.array(EventRow), priced: z.coerce.boolean() })

export default operation({
  name: 'list_feed', aliases: ['recent_feed', 'get_feed'], route: 'GET /v1/feed/recent', auth: 'key', lane: 'blocks', tool: true, cacheSeconds: 5, sources: ['blocks', 'transfers', 'chunks'], rows: 'blocks',
  summary: 'What happened lately: blocks, newest first, with narrative events and whale counts.',
  input: z.object({ chain: blocksField.default('ETH'), limit: limitField(100, 20), min_usd: usdField(10_000), since: sinceField, until: untilField, cursor: cursorField }),
  output: z.object({ chain: z.string(), min_usd: z.number(), count: z.number().int(), blocks: z.array(FeedBlock), next_cursor: z.string().nullable(), has_more: z.boolean(), coverage_status: CoverageStatus }),
  run: async (input, ask) => {
    const chain = blockChainOf(input.chain)
    const { cursors, coverage } = ask.services
    const inputs = { chain: chain.id, min_usd: input.min_usd, since: input.since, until: input.until }
    const below = input.cursor === undefined ? '18446744073709551615' : cursors.read('list_feed', inputs, input.cursor, z.number().int().min(0))
    const status = await coverage.status(chain.id)
    // Before the rows: what passes while they are read was not told.
    const [view, end] = await Promise.all([coverage.view(), endOf(chain.id, millis(input.until) ?? undefined, ask)]), worked = workedUpTo(view.bounds.get(chain.id))
    const low = Math.max(0, Math.min(Number(below), (end?.newest ?? 0) + 1) - input.limit)
    const near = await openHeightsOf('index', chain.id, low, ask)
    const rows = chain.status !== 'live' ? [] : await ask.store.query(listFeed[chain.id === 'BTC' ? 'BTC' : 'ETH'], {
      chain: chain.id, below, min_usd: input.min_usd, since: millis(input.since) ?? 0, until: millis(input.until) ?? endOfTime, limit: input.limit + 1,
    }, Row)
    // Over a gap they reach lower.
    const lowest = rows.slice(0, input.limit).at(-1)?.block_number ?? low
    const open = lowest < low ? [...near, ...await openHeightsOf('index', chain.id, lowest, ask)] : near
    const blocks = rows.slice(0, input.limit).map(({ priced, ...block }) => {
      const done = block.block_number <= worked && !touches(open, block.block_number, block.block_number)
      return { ...block, ...(priced && done ? {} : { whale_count: null, whale_usd: null }), ...(done ? {} : { event_count: null }) }
    })
    const more = rows.length > input.limit
    const [newest, oldest] = [blocks[0], blocks.at(-1)]
    const unpriced = newest === undefined || oldest === undefined || blocks.every(({ whale_count: whales }) => whales !== null) ? [] : [await unpricedWithin(chain.id, Date.parse(oldest.timestamp), Date.parse(newest.timestamp), ask, newest.block_number)]
    return { chain: chain.id, min_usd: input.min_usd, count: blocks.length, blocks, next_cursor: more ? cursors.write('list_feed', inputs, blocks.at(-1)?.block_number) : null, has_more: more, coverage_status: withUnpriced(status, unpriced) }
  },
})
