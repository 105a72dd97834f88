/** What can be known of the tools without a key: the listing, and messages to try. */
import { z } from 'zod'
import { operation, type Operation } from '../operation.js'
import { serverVersion } from './server.js'
import { openTools } from './tools.js'

const Tool = z.looseObject({ name: z.string(), title: z.string(), description: z.string(), inputSchema: z.looseObject({}), outputSchema: z.looseObject({}), annotations: z.looseObject({}) })
const Message = z.looseObject({ jsonrpc: z.literal('2.0'), method: z.string() })
const headers = { 'X-API-Key': '<API_KEY>', 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }

/** REST listings of `all`, which is read when they are asked for: the registry they stand in is still being made. */
export const mcpListings = (all: () => readonly Operation[]): readonly Operation[] => [
  operation({
    name: 'get_mcp_tools', route: 'GET /mcp/tools.json', auth: 'public', lane: 'system', tool: false, cacheSeconds: 60,
    summary: 'The MCP tools as tools/list gives them, and how many there are.',
    input: z.object({}), output: z.object({ version: z.string(), tool_count: z.number().int(), tools: z.array(Tool) }),
    run: () => { const tools = openTools(all()).list(null).map((tool) => Tool.parse(tool)); return Promise.resolve({ version: serverVersion, tool_count: tools.length, tools }) },
  }),
  operation({
    name: 'get_mcp_fixtures', route: 'GET /mcp/fixtures.json', auth: 'public', lane: 'system', tool: false, cacheSeconds: 60,
    summary: 'Messages to try against /mcp, in order, with the headers they need.',
    input: z.object({}), output: z.object({ endpoint: z.string(), headers: z.record(z.string(), z.string()), note: z.string(), messages: z.array(Message) }),
    run: () => Promise.resolve({
      endpoint: '/mcp', headers, note: 'Send each message with POST. The answer to initialize carries Mcp-Session-Id; send that header with the messages after it.',
      messages: [
        { jsonrpc: '2.0' as const, id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'example', version: '1.0.0' } } },
        { jsonrpc: '2.0' as const, method: 'notifications/initialized' },
        { jsonrpc: '2.0' as const, id: 2, method: 'tools/list', params: {} },
        { jsonrpc: '2.0' as const, id: 3, method: 'tools/call', params: { name: 'list_whales', arguments: { chain: 'ETH', limit: 5 } } },
      ],
    }),
  }),
] as readonly Operation[]
