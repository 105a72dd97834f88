import { z } from 'zod'
import { chains } from '../../../schemas/chains.js'
import { CoverageStatus } from '../../coverage.js'
import { chainField, chainOf, cursorField, limitField, sinceField, untilField, usdField } from '../../fields.js'
import { operation } from '../../operation.js'
import { readWhales } from './readWhales.js'
import { Position, Whale } from './whale.js'

/** Where each chain's rows have been read to; a chain without an entry has not been read. */
const Positions = z.record(z.string(), Position)

export default operation({
  name: 'list_whales', aliases: ['recent_whales', 'get_recent_whales', 'get_whales', 'whale_transfers'], route: 'GET /v1/whales/recent', auth: 'public', lane: 'whales', tool: true, cacheSeconds: 10,
  sources: ['transfers', 'labels', 'prices'], rows: 'whales',
  summary: 'Large movements of value with the labels of both sides, newest first. chain ALL combines the live chains.',
  input: z.object({ chain: chainField.default('ALL'), limit: limitField(200, 50), min_usd: usdField(100_000), since: sinceField, until: untilField, cursor: cursorField }),
  output: z.object({
    count: z.number().int(), chain: z.string(), min_usd: z.number(), next_cursor: z.string().nullable(), has_more: z.boolean(), whales: z.array(Whale),
    internal_complete: z.boolean().describe('false: movements inside transactions are missing for some blocks, see coverage_status'), coverage_status: CoverageStatus,
  }),
  run: async (input, ask) => {
    const chain = chainOf(input.chain)
    const { cursors, coverage } = ask.services
    const inputs = { chain: chain.id, min_usd: input.min_usd, since: input.since, until: input.until }
    const read = input.cursor === undefined ? {} : cursors.read('list_whales', inputs, input.cursor, Positions)
    const asked = chains.filter((one) => one.status === 'live' && (chain.status === 'aggregate' || one.id === chain.id))
    const [view, status, ...pages] = await Promise.all([
      coverage.view(), coverage.status(chain.id),
      ...asked.map((one) => readWhales({ chain: one.id, minUsd: input.min_usd, since: input.since, until: input.until, limit: input.limit + 1, below: read[one.id] }, ask)),
    ])
    // Each page is in order already; only the few rows of the page are merged here.
    const rows = asked.length === 1 ? pages.flat() : pages.flat().sort((a, b) => (a.timestamp < b.timestamp ? 1 : a.timestamp > b.timestamp ? -1 : 0))
    const page = rows.slice(0, input.limit)
    const more = rows.length > input.limit
    const next = { ...read, ...Object.fromEntries(page.map((row) => [row.chain, row.at])) }
    return {
      count: page.length, chain: chain.id, min_usd: input.min_usd, next_cursor: more ? cursors.write('list_whales', inputs, next) : null, has_more: more,
      whales: page.map(({ at: _, ...whale }) => whale), internal_complete: asked.every((one) => (view.bounds.get(one.id)?.untraced ?? 0) === 0), coverage_status: status,
    }
  },
})
