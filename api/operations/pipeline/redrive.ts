import { z } from 'zod'
import { notFound } from '../../faults.js'
import { operation } from '../../operation.js'

export default operation({
  name: 'redrive', route: 'POST /v1/pipeline/redrive', auth: 'key', role: 'operator', lane: 'system', tool: false, writes: true,
  summary: 'Puts dead letters back to work: all of them, or one by id (list_dead_letters names them).',
  input: z.object({ id: z.string().min(1).max(200).optional().describe('Id of one dead letter; left out: all') }),
  output: z.object({ redriven: z.number().int().describe('0 of an id: it was put back before, or what had failed is done or no longer planned') }),
  run: async ({ id }, { services, principal }) => {
    const redriven = await services.pipeline.redrive(id ?? null, principal.keyId ?? principal.name)
    if (redriven === null) throw notFound(`Dead letter '${id ?? ''}'`)
    return { redriven }
  },
})
