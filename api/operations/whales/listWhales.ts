import { z } from 'zod'
import { chains } from '../../../schemas/chains.js'
import { pageByTime, positionsOf } from '../../byTime.js'
import { CoverageStatus } from '../../coverage.js'
import { chainField, chainOf, cursorField, endOfTime, limitField, millis, sinceField, untilField, usdField } from '../../fields.js'
import { knownSince, withUnknown } from '../../known.js'
import { operation } from '../../operation.js'
import { markedAmong } from '../perps/made.js'
import { isTraced, tracedField } from '../../traced.js'
import { emptyIfUnpriced, unpricedWithin, withUnpriced } from '../../unpriced.js'
import { readPerpsWhales, readWhales } from './readWhales.js'
import { aboveOf, endsOfWhales, PerpsPosition, Position, Whale } from './whale.js'

/** Of which kind depends on the chain it is kept under. */
const Positions = positionsOf(z.union([Position, PerpsPosition]))
type Positions = z.infer<typeof Positions>

export default operation({
  name: 'list_whales', aliases: ['recent_whales', 'get_recent_whales', 'get_whales', 'whale_transfers'], route: 'GET /v1/whales/recent', auth: 'public', lane: 'whales', tool: true, cacheSeconds: 10,
  sources: ['transfers', 'btc_coinjoins', 'labels', 'prices', 'hl_trades', 'hl_liquidations'], rows: 'whales', perps: true,
  summary: 'Large movements of value with the labels of both sides, newest first. chain ALL combines the live chains.',
  input: z.object({ chain: chainField.default('ALL'), limit: limitField(200, 50), min_usd: usdField(100_000), since: sinceField, until: untilField, cursor: cursorField }),
  output: z.object({
    count: z.number().int(), chain: z.string(), min_usd: z.number(), next_cursor: z.string().nullable(), has_more: z.boolean(), whales: z.array(Whale),
    internal_complete: tracedField, coverage_status: CoverageStatus,
  }),
  empty: emptyIfUnpriced,
  run: async (input, ask) => {
    const chain = chainOf(input.chain)
    const { cursors, coverage } = ask.services
    const inputs = { chain: chain.id, min_usd: input.min_usd, since: input.since, until: input.until }
    const read: Positions = input.cursor === undefined ? {} : cursors.read('list_whales', inputs, input.cursor, Positions)
    const asked = chains.filter((one) => one.status === 'live' && (chain.status === 'aggregate' || one.id === chain.id))
    const query = { minUsd: input.min_usd, since: input.since, until: input.until, limit: input.limit + 1 }
    const perps = chain.id === 'HL' || chain.status === 'aggregate', [since, until] = [millis(input.since), millis(input.until)]
    const view = await coverage.view()
    const [told, ...pages] = await Promise.all([
      coverage.status(chain.id, 'perps'),
      ...asked.map((one) => readWhales({ ...query, chain: one.id, below: Position.optional().parse(read[one.id]) }, ask)),
      ...(perps ? [readPerpsWhales({ ...query, below: PerpsPosition.optional().parse(read['HL']) }, ask)] : []),
    ])
    const { page, more } = pageByTime<(typeof pages)[number][number], Positions[string]>(pages, input.limit, read, ({ at }) => at, (next) => cursors.write('list_whales', inputs, next), ({ at }) => aboveOf(at), endsOfWhales(chain, view))
    // A venue that was never heard is said by coverage already.
    const timed = perps && view.heads.has('HL') && (since !== null || until !== null)
    const status = timed ? withUnknown(told, view, 'HL', since ?? knownSince(view, 'HL') ?? 0, Math.min(until ?? Date.now(), Date.now())) : told
    const unpriced = await Promise.all(asked.map(({ id }) => unpricedWithin(id, more.has_more ? Date.parse(page.at(-1)?.timestamp ?? '') : since ?? 0, until ?? endOfTime, ask, Position.optional().parse(read[id])?.[0])))
    return {
      count: page.length, chain: chain.id, min_usd: input.min_usd, ...more,
      whales: page.map((row) => Whale.parse(row)), internal_complete: isTraced(view, asked.map(({ id }) => id)), coverage_status: markedAmong(withUnpriced(status, unpriced), page),
    }
  },
})
