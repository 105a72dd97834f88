import { z } from 'zod'
import { Amount, EvmAddress } from '../../../schemas/primitives.js'
import { chainOfAddress, fits, idOf, plainAddress } from '../../addresses.js'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause } from '../../empty.js'
import { addressField, chainField, chainOf, cursorField, limitField, millis, sinceField, untilField } from '../../fields.js'
import { operation } from '../../operation.js'
import { pageFields } from '../../pages.js'
import { emptyUnlessStored, storedChain } from '../../span.js'
import { boundsOf } from './trail/bounds.js'
import { Check } from './trail/checks.js'
import { Origin, originsOf } from './trail/origins.js'
import { Step } from './trail/step.js'
import { traceBitcoin } from './trail/bitcoin/traceBitcoin.js'
import { trace } from './trail/trace.js'

/** Height the trail is of, and branches of the first hop that were given. */
const Position = z.tuple([z.number().int().min(0), z.number().int().min(0)])

export default operation({
  name: 'trace_funds', aliases: ['get_wallet_trail', 'source_of_funds', 'trace_flow'], route: 'GET /v1/wallets/trail/{address}', auth: 'key', lane: 'forensic', tool: true, cacheSeconds: 30, sources: ['transfers', 'swaps', 'prices', 'labels'], rows: 'trail', hours: Infinity,
  summary: 'Where the funds of an address came from or went, hop by hop, and why each branch ended; FIFO, haircut and poison. Use get_wallet_compliance for the risk.',
  input: z.object({
    address: addressField, chain: chainField.default('ETH'), direction: z.enum(['source', 'destination']).default('source').describe('Backwards or forwards'), hops: z.number().int().min(1).max(4).default(2).describe('How far, 1 to 4'),
    token: z.string().regex(/^0x[0-9a-fA-F]{40}$/).optional().describe('Only this token'), since: sinceField, until: untilField,
    assume_complete: z.boolean().default(false).describe('Take what is indexed for all there is: FIFO and haircut also without it'), limit: limitField(100, 20).describe('Branches at each hop, 1 to 100'), cursor: cursorField,
  }),
  output: z.object({
    chain: z.string(), address: z.string(), direction: z.enum(['source', 'destination']), hops: z.number().int(), as_of_block: z.number().int().nullable(), assumed_complete: z.boolean(),
    traced: z.array(z.object({ token: EvmAddress, amount: Amount, value_usd: z.number().nullable() })).describe('What is explained: all that came, or went, by token of the branches given'),
    count: z.number().int(), trail: z.array(Step), origins: z.array(Origin).describe('Ends of branches by class'), checks: z.array(Check).describe('Conservation, per hop and token'),
    too_busy: z.boolean().describe('true: the address is a service, its funds are not traced'), ...pageFields, coverage_status: CoverageStatus,
  }),
  empty: (output) => emptyUnlessStored(output) ?? (!fits(output.address, output.chain) ? emptyBecause('unsupported_input') : output.too_busy ? emptyBecause('data_gap') : null),
  run: async (input, ask) => {
    const [address, token] = [plainAddress(input.address), input.token?.toLowerCase()]
    const asked = chainOf(input.chain)
    const chain = chainOfAddress(asked, address)
    const { cursors, coverage } = ask.services
    const { hops: _hops, limit: _limit, cursor: _cursor, ...choice } = input
    const inputs = { ...choice, chain: chain.id, address, token }
    const [upto, skip] = input.cursor === undefined ? [undefined, 0] as const : cursors.read('trace_funds', inputs, input.cursor, Position)
    const stored = storedChain(chain)
    const wanted = { source: input.direction === 'source', since: millis(input.since), until: millis(input.until), limit: input.limit, assumeComplete: input.assume_complete, ...(upto === undefined ? {} : { upto }) }
    const [bounds, status] = await Promise.all([stored === null || !fits(address, stored) ? null : boundsOf(stored, wanted, ask), coverage.status(asked.id)])
    const trail = bounds === null || stored === null ? null : stored === 'BTC' ? await traceBitcoin(idOf(address, stored), input.hops, skip, bounds, ask) : await trace(address, token, input.hops, skip, bounds, ask)
    const next = bounds !== null && trail?.more === true ? cursors.write('trace_funds', inputs, [bounds.upto, skip + input.limit]) : null
    return {
      chain: chain.id, address, direction: input.direction, hops: input.hops, as_of_block: bounds?.upto ?? null, assumed_complete: input.assume_complete,
      traced: [...trail?.roots.values() ?? []].map((root) => ({ token: root.token, amount: `${root.amount}`, value_usd: root.usd })), count: trail?.steps.length ?? 0, trail: trail?.steps ?? [],
      origins: trail === null ? [] : originsOf(trail), checks: trail?.checks ?? [], too_busy: bounds !== null && trail === null, next_cursor: next, has_more: next !== null, coverage_status: status,
    }
  },
})
