import { z } from 'zod'
import { chains } from '../../../schemas/chains.js'
import { schemaHead } from '../../../schemas/migrations.js'
import { stageNames } from '../../../schemas/primitives.js'
import { operation } from '../../operation.js'
import { version } from '../../version.js'

const Output = z.object({
  service: z.string(), version: z.string(), schema_head: z.string().describe('Newest migration of the store'),
  chains: z.array(z.object({ id: z.string(), name: z.string(), aliases: z.array(z.string()), status: z.enum(['live', 'perps-only', 'pending', 'unbacked', 'aggregate']), has_blocks: z.boolean(), finality_blocks: z.number().int().nullable() })),
  stages: z.array(z.enum(stageNames)), links: z.object({ openapi: z.string(), summary: z.string(), reference: z.string(), mcp: z.string() }),
})

export default operation({
  name: 'get_meta', aliases: ['service_info'], route: 'GET /v1/meta', auth: 'public', lane: 'system', tool: true,
  summary: 'What this service is: version, chains it knows, stages of its pipeline, where its documents are.',
  input: z.object({}), output: Output,
  run: (_input, { baseUrl }) => Promise.resolve({
    service: 'hydrophone', version, schema_head: schemaHead(),
    chains: chains.map((chain) => ({ id: chain.id, name: chain.name, aliases: [...chain.aliases], status: chain.status, has_blocks: chain.hasBlocks, finality_blocks: chain.finality })),
    stages: [...stageNames], links: { openapi: `${baseUrl}/openapi.json`, summary: `${baseUrl}/openapi-summary.json`, reference: `${baseUrl}/redoc`, mcp: `${baseUrl}/mcp` },
  }),
})
