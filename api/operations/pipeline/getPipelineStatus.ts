import { z } from 'zod'
import { operation } from '../../operation.js'
import { Queues, queuesOf, StageHealth, stageHealth, Writable } from '../health/getHealth.js'

export default operation({
  name: 'get_pipeline_status', aliases: ['pipeline_status'], route: 'GET /v1/pipeline/status', auth: 'key', lane: 'system', tool: true,
  summary: 'State of the pipeline and of its five stages. Use list_dead_letters for batches that gave up.',
  input: z.object({}),
  output: z.object({ status: z.enum(['running', 'paused', 'stopped']), stages: z.array(StageHealth), queues: Queues, dead_letters: z.object({ count: z.number(), oldest_age_seconds: z.number().nullable() }), clickhouse_writable: Writable }),
  run: async (_input, ask) => {
    const [status, stages, dead, writable] = await Promise.all([ask.services.pipeline.state(), stageHealth(ask), ask.services.pipeline.deadLetters(1), ask.services.pipeline.writable()])
    return { status, stages, queues: queuesOf(stages), dead_letters: { count: dead.count, oldest_age_seconds: dead.oldestAgeSeconds }, clickhouse_writable: writable }
  },
})
