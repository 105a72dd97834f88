import { z } from 'zod'
import { operation } from '../../operation.js'
import { Health, health } from './getHealth.js'

export default operation({
  name: 'get_health_v1', route: 'GET /v1/health', auth: 'public', lane: 'system', tool: false, cacheSeconds: 1, alone: true,
  summary: 'The same answer as GET /health, under the versioned path.',
  settled: ({ system }) => system.clickhouse_connected, input: z.object({}), output: Health, run: health,
})
