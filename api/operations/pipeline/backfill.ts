import { z } from 'zod'
import { blockChainOf, chainField, heightField } from '../../fields.js'
import { invalid, usedUp } from '../../faults.js'
import { operation } from '../../operation.js'

const mostBlocks = 5_000

export default operation({
  name: 'backfill', route: 'POST /v1/pipeline/backfill', auth: 'key', role: 'admin', lane: 'system', tool: false, writes: true,
  summary: `Puts a range of blocks into the pipeline; what is indexed already is left alone. At most ${mostBlocks} blocks, once in 10 seconds. dry_run only counts.`,
  input: z.object({
    chain: chainField, from_block: heightField, to_block: heightField,
    dry_run: z.boolean().default(false).describe('Only say what would be done'),
  }),
  output: z.object({ accepted: z.boolean(), target: z.string(), chain: z.string(), from_block: z.number().int(), to_block: z.number().int(), blocks: z.number().int(), already_indexed: z.number().int(), dry_run: z.boolean() }),
  run: async (input, { services, principal }) => {
    const chain = blockChainOf(input.chain)
    const blocks = input.to_block - input.from_block + 1
    if (chain.status !== 'live') throw invalid([{ type: 'unsupported_chain', loc: ['body', 'chain'], msg: `No pipeline runs for ${chain.id}` }])
    // Of a chain that is followed only where a node of it is given, and none was ever seen: it would be under way for ever.
    if ((await services.coverage.status(chain.id)).pipeline === 'pending') throw invalid([{ type: 'unsupported_chain', loc: ['body', 'chain'], msg: `No node of ${chain.id} has been seen yet: start a worker that has one first` }])
    if (blocks > mostBlocks) throw invalid([{ type: 'too_big', loc: ['body', 'to_block'], msg: `At most ${mostBlocks} blocks in one request; this range has ${blocks}` }])
    const turn = await services.limits.take('backfill', principal.quota, 1, 10)
    if (!turn.allowed) throw usedUp(turn, 'One backfill in 10 seconds')
    const done = await services.pipeline.backfill({ chain: chain.id, from: input.from_block, to: input.to_block, dryRun: input.dry_run, requestedBy: principal.keyId ?? principal.name })
    return { accepted: done.accepted, target: done.target, chain: chain.id, from_block: input.from_block, to_block: input.to_block, blocks: done.blocks, already_indexed: done.alreadyIndexed, dry_run: done.dryRun }
  },
})
