/** What can be known of the tools without a key. */
import { z } from 'zod'
import { operation, type Operation } from '../operation.js'
import { serverVersion } from './server.js'
import { openTools } from './tools.js'

const Tool = z.looseObject({ name: z.string(), title: z.string(), description: z.string(), inputSchema: z.looseObject({}), outputSchema: z.looseObject({}), annotations: z.looseObject({}) })

/** The REST listing of `all`, which is read when it is asked for: the registry it stands in is still being made. */
export const mcpListings = (all: () => readonly Operation[]): readonly Operation[] => [
  operation({
    name: 'get_mcp_tools', route: 'GET /mcp/tools.json', auth: 'public', lane: 'system', tool: false, cacheSeconds: 60,
    summary: 'The MCP tools as tools/list gives them, and how many there are.',
    input: z.object({}), output: z.object({ version: z.string(), tool_count: z.number().int(), tools: z.array(Tool) }),
    run: () => { const tools = openTools(all()).list(null).map((tool) => Tool.parse(tool)); return Promise.resolve({ version: serverVersion, tool_count: tools.length, tools }) },
  }),
] as readonly Operation[]
