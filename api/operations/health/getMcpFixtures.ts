import { z } from 'zod'
import { payloadOf, recorded } from '../../documents/recorded.js'
import { operation } from '../../operation.js'

const headers = { 'X-API-Key': '<API_KEY>', 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
const Message = z.looseObject({ jsonrpc: z.literal('2.0'), method: z.string() })
const Call = z.object({
  request: z.looseObject({ jsonrpc: z.literal('2.0'), id: z.number().int(), method: z.literal('tools/call'), params: z.object({ name: z.string(), arguments: z.looseObject({}) }) }),
  response: z.object({ jsonrpc: z.literal('2.0'), id: z.number().int(), result: z.object({ content: z.array(z.object({ type: z.literal('text'), text: z.string() })), structuredContent: z.looseObject({}) }) }),
})

export default operation({
  name: 'get_mcp_fixtures', route: 'GET /mcp/fixtures.json', auth: 'public', lane: 'system', tool: false, cacheSeconds: 60,
  summary: 'Messages to try against /mcp, in order, with the headers they need, and tool calls with the answers they got on recorded blocks.',
  input: z.object({}),
  output: z.object({
    endpoint: z.string(), headers: z.record(z.string(), z.string()), note: z.string(), messages: z.array(Message),
    recorded_from: z.string().describe('What the store held when the calls were recorded'), calls: z.array(Call).describe('Ages and cursors differ from one time to the next; the rest does not'),
  }),
  run: () => {
    const { from, calls } = recorded()
    return Promise.resolve({
      endpoint: '/mcp', headers, note: 'Send each message with POST. The answer to initialize carries Mcp-Session-Id; send that header with the messages after it.',
      messages: [
        { jsonrpc: '2.0' as const, id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'example', version: '1.0.0' } } },
        { jsonrpc: '2.0' as const, method: 'notifications/initialized' },
        { jsonrpc: '2.0' as const, id: 2, method: 'tools/list', params: {} },
        { jsonrpc: '2.0' as const, id: 3, method: 'tools/call', params: { name: 'list_whales', arguments: { chain: 'ETH', limit: 5 } } },
      ],
      recorded_from: from,
      calls: calls.flatMap((call, index) => {
        const [payload, id] = [payloadOf(call), index + 1]
        return payload === null ? [] : [{
          request: { jsonrpc: '2.0' as const, id, method: 'tools/call' as const, params: { name: call.operation, arguments: call.arguments } },
          response: { jsonrpc: '2.0' as const, id, result: { content: [{ type: 'text' as const, text: JSON.stringify(payload) }], structuredContent: payload } },
        }]
      }),
    })
  },
})
