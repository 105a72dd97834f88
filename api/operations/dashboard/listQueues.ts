import { z } from 'zod'
import { stageNames } from '../../../schemas/primitives.js'
import { CoverageStatus } from '../../coverage.js'
import { operation } from '../../operation.js'
import { Queues, queuesOf, stageHealth } from '../health/getHealth.js'

const Jobs = z.number().nullable()
const Queue = z.object({ stage: z.enum(stageNames), status: z.enum(['running', 'paused', 'stopped']), waiting: Jobs, active: Jobs, delayed: Jobs, failed: Jobs })

export default operation({
  name: 'list_queues', aliases: ['get_queues'], route: 'GET /v1/dashboard/queues', auth: 'key', lane: 'system', tool: true,
  summary: 'The five queues: what waits, runs, is delayed or has failed in each; null while Redis is away.',
  input: z.object({}), output: z.object({ redis_connected: z.boolean(), queues: z.array(Queue), depths: Queues, coverage_status: CoverageStatus }),
  run: async (_input, ask) => {
    const { coverage, pipeline } = ask.services
    const [stages, seen, status] = await Promise.all([pipeline.stages(), stageHealth(ask), coverage.status('ALL')])
    return {
      redis_connected: pipeline.redisConnected(), depths: queuesOf(seen),
      queues: stages.map(({ stage, status, waiting, active, delayed, failed }) => ({ stage, status, waiting, active, delayed, failed })), coverage_status: status,
    }
  },
})
