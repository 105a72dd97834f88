import { z } from 'zod'
import { limitField } from '../../fields.js'
import { operation } from '../../operation.js'

const Letter = z.object({
  id: z.string(), chain: z.string(), stage: z.string(), from_block: z.number().int(), to_block: z.number().int(), code: z.string(),
  cause: z.string().nullable().describe('null unless an operator asks'), endpoint: z.string().nullable().describe('null unless an operator asks'), attempts: z.number().int(), first_at: z.string(), at: z.string(),
})

export default operation({
  name: 'list_dead_letters', aliases: ['dead_letters', 'get_dlq'], route: 'GET /v1/dashboard/dlq', auth: 'key', lane: 'system', tool: true,
  summary: 'Batches that gave up, newest first, with their count and the age of the oldest. An operator puts them back with POST /v1/pipeline/redrive.',
  input: z.object({ limit: limitField(200, 50) }),
  output: z.object({ count: z.number().int(), oldest_age_seconds: z.number().nullable(), items: z.array(Letter) }),
  run: async ({ limit }, { services, principal }) => {
    const dead = await services.pipeline.deadLetters(limit)
    const inside = principal.role === 'admin' || principal.role === 'operator'
    return {
      count: dead.count, oldest_age_seconds: dead.oldestAgeSeconds,
      items: dead.letters.map((letter) => ({
        id: letter.id, chain: letter.chain, stage: letter.stage, from_block: letter.from, to_block: letter.to, code: letter.code, cause: inside ? letter.cause : null, endpoint: inside ? letter.endpoint : null,
        attempts: letter.attempts, first_at: letter.firstAt, at: letter.at,
      })),
    }
  },
})
