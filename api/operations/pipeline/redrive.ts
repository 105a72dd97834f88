import { z } from 'zod'
import { operation } from '../../operation.js'

export default operation({
  name: 'redrive', route: 'POST /v1/pipeline/redrive', auth: 'key', role: 'operator', lane: 'system', tool: false, writes: true,
  summary: 'Puts dead letters back to work: all of them, or one by id (list_dead_letters names them).',
  input: z.object({ id: z.string().min(1).max(200).optional().describe('Id of one dead letter; left out: all') }),
  output: z.object({ redriven: z.number().int() }),
  run: async ({ id }, { services, principal }) => ({ redriven: await services.pipeline.redrive(id ?? null, principal.keyId ?? principal.name) }),
})
