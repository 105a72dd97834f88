import { z } from 'zod'
import { Amount, EvmAddress } from '../../../schemas/primitives.js'
import { fits } from '../../addresses.js'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause } from '../../empty.js'
import { operation } from '../../operation.js'
import { pageFields } from '../../pages.js'
import { emptyUnlessStored } from '../../span.js'
import { answerTrail, trailFields } from './trail/answer.js'
import { Check } from './trail/checks.js'
import { Origin, originsOf } from './trail/origins.js'
import { Step } from './trail/step.js'

export default operation({
  name: 'trace_funds', aliases: ['get_wallet_trail', 'source_of_funds', 'trace_flow'], route: 'GET /v1/wallets/trail/{address}', auth: 'key', lane: 'forensic', tool: true, cacheSeconds: 30, sources: ['transfers', 'swaps', 'prices', 'labels', 'label_changes'], rows: 'trail', hours: Infinity,
  summary: 'Where funds of an address came from or went, hop by hop, and why each branch ended; FIFO, LIFO, haircut, poison. Use get_wallet_compliance for the risk.',
  input: z.object(trailFields),
  output: z.object({
    chain: z.string(), address: z.string(), direction: z.enum(['source', 'destination']), hops: z.number().int(), as_of_block: z.number().int().nullable(), assumed_complete: z.boolean(),
    traced: z.array(z.object({ token: EvmAddress, amount: Amount, value_usd: z.number().nullable() })).describe('What is explained: all that came, or went, by token of the branches given'),
    count: z.number().int(), trail: z.array(Step), origins: z.array(Origin).describe('Ends of branches by class'), checks: z.array(Check).describe('Conservation, per hop and token'),
    too_busy: z.boolean().describe('true: the address is a service, its funds are not traced'), deeper_cursor: z.string().nullable().describe('Send as cursor, all else the same: the hops after these, from branches that depth stopped; null: there are none'),
    ...pageFields, coverage_status: CoverageStatus,
  }),
  // Fewer branches are another trail: what is cut is not asked for again, and cursors of the whole would pass over it.
  remainder: (_args, { trail }, given) => (given < trail.length
    ? { next: null, hint: 'Steps are left out. Ask for hops 1 and a small limit, then go on with next_cursor and deeper_cursor; or connect with ?max_tokens= for longer answers.', instead: { next_cursor: null, deeper_cursor: null } }
    : { next: null, hint: 'Connect with ?max_tokens= for longer answers.' }),
  empty: (output, ask) => emptyUnlessStored(output) ?? (!fits(output.address, output.chain, ask) ? emptyBecause('unsupported_input') : output.too_busy ? emptyBecause('data_gap') : null),
  run: async (input, ask) => {
    const { chain, address, bounds, trail, status, next, deeper } = await answerTrail('trace_funds', input, ask)
    return {
      chain: chain.id, address, direction: input.direction, hops: input.hops, as_of_block: bounds?.upto ?? null, assumed_complete: input.assume_complete,
      traced: [...trail?.roots.values() ?? []].map((root) => ({ token: root.token, amount: `${root.amount}`, value_usd: root.usd })), count: trail?.steps.length ?? 0, trail: trail?.steps ?? [],
      origins: trail === null ? [] : originsOf(trail), checks: trail?.checks ?? [], too_busy: bounds !== null && trail === null, deeper_cursor: deeper, next_cursor: next, has_more: next !== null, coverage_status: status,
    }
  },
})
