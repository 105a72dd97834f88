import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { cut, firstOf } from '../../cut.js'
import { blockChainOf, blocksField, heightField } from '../../fields.js'
import { operation } from '../../operation.js'
import { rowsAfter } from '../../remainder.js'
import { BlockDetail } from '../blocks/block.js'
import { emptyOfHeight, readKnownBlock, timeOfBlock } from '../blocks/getBlock.js'
import { unpricedWithin, withUnpriced } from '../../unpriced.js'
import { readWhales } from '../whales/readWhales.js'
import { Whale } from '../whales/whale.js'
import { Event, EventRow } from './event.js'
import { hasPassed } from './hasPassed.js'

const listEvents = loadSql(import.meta.url, 'listEvents.sql')
const whaleUsd = 100_000
/** In one answer. */
const most = { events: 500, whales: 200 }

export default operation({
  name: 'get_feed_block', aliases: ['feed_block', 'explain_block'], route: 'GET /v1/feed/block/{chain}/{block_number}', auth: 'key', lane: 'blocks', tool: true, cacheSeconds: 60, sources: ['blocks', 'transfers', 'btc_coinjoins', 'chunks'], rows: 'block',
  settled: (output) => output.indexed, empty: emptyOfHeight,
  summary: `One block: metadata, up to ${most.events} events, up to ${most.whales} movements of ${whaleUsd} USD and more.`,
  input: z.object({ chain: blocksField, block_number: heightField, offset: z.number().int({ abort: true }).min(0).max(10_000).default(0).describe('Of each list') }),
  output: z.object({
    chain: z.string(), block_number: z.number().int(), block: BlockDetail.nullable(), events: z.array(Event), whale_txs: z.array(Whale), has_more: cut(`skip ${most.whales} more`),
    indexed: z.boolean().describe('false: the block is known but its events and values are still being worked out; ask again in a second'),
    internal_complete: z.boolean().nullable().describe('null: the block is not indexed'), coverage_status: CoverageStatus,
  }),
  lists: ['events', 'whale_txs'],
  remainder: (args, output, given) => (given < Math.max(output.events.length, output.whale_txs.length)
    ? { next: { ...args, offset: Number(args['offset'] ?? 0) + given }, hint: 'next gives what comes after these in both lists.' }
    : { next: null, hint: 'Connect with ?max_tokens= for longer answers.' }),
  run: async (input, ask) => {
    const chain = blockChainOf(input.chain)
    const at = input.block_number
    const [time, status] = await Promise.all([timeOfBlock(chain, at, ask), ask.services.coverage.status(chain.id)])
    // Whoever waits for a block at the tip is not kept by a search for what nobody has made of it yet.
    const told = async (of: number) => {
      const passed = await hasPassed(chain.id, at, ask)
      const [events, whales, unpriced] = await Promise.all([
        passed.index ? ask.store.query(listEvents, { chain: chain.id, block: at, limit: input.offset + most.events + 1 }, EventRow) : [],
        passed.enrich ? readWhales({ chain: chain.id, minUsd: whaleUsd, limit: input.offset + most.whales + 1, from: at, below: [at, 127, 4294967295, 4294967295] }, ask) : [],
        passed.enrich ? unpricedWithin(chain.id, of, of, ask, at) : null,
      ])
      return { events, whales, unpriced, indexed: passed.index }
    }
    // All side by side: a block that turns out not to be whole is answered without the rest.
    const [block, { events, whales, unpriced, indexed }] = time === null ? [null, { events: [], whales: [], unpriced: null, indexed: false }] : await Promise.all([readKnownBlock(chain, at, ask), told(time)])
    if (block === null) return { chain: chain.id, block_number: at, block, events: [], whale_txs: [], has_more: false, indexed: false, internal_complete: null, coverage_status: status }
    // Two empty lists would say that nothing happened in it.
    if (indexed) rowsAfter<unknown>(events.length > whales.length ? events : whales, input.offset)
    const [happened, moved] = [firstOf(events.slice(input.offset), most.events), firstOf(whales.slice(input.offset), most.whales)]
    return {
      chain: chain.id, block_number: at, block, events: happened.rows, whale_txs: moved.rows.map(({ at: _, ...whale }) => whale), has_more: happened.has_more || moved.has_more, indexed, internal_complete: block.internal_complete, coverage_status: unpriced === null ? status : withUnpriced(status, [unpriced]),
    }
  },
})
