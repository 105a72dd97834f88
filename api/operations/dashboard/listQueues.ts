import { z } from 'zod'
import { stageNames } from '../../../schemas/primitives.js'
import { operation } from '../../operation.js'
import { Queues, queuesOf, stageHealth } from '../health/getHealth.js'

const Jobs = z.number().nullable()
const Queue = z.object({ stage: z.enum(stageNames), status: z.enum(['running', 'paused', 'stopped']), waiting: Jobs, active: Jobs, delayed: Jobs, failed: Jobs })

export default operation({
  name: 'list_queues', aliases: ['get_queues'], route: 'GET /v1/dashboard/queues', auth: 'key', lane: 'system', tool: true,
  summary: 'The five queues: what waits, runs, is delayed or has failed in each. While Redis is away (`redis_connected` false) these are null.',
  input: z.object({}), output: z.object({ redis_connected: z.boolean(), queues: z.array(Queue), depths: Queues }),
  run: async (_input, ask) => {
    const { pipeline } = ask.services
    const [stages, seen] = await Promise.all([pipeline.stages(), stageHealth(ask)])
    return {
      redis_connected: pipeline.redisConnected(), depths: queuesOf(seen),
      queues: stages.map(({ stage, status, waiting, active, delayed, failed }) => ({ stage, status, waiting, active, delayed, failed })),
    }
  },
})
