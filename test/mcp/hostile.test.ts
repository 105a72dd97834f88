import assert from 'node:assert/strict'
import { sizeOf } from '../../api/mcp/trim.js'
import { startService, type Service } from '../api/support/service.js'
import { message, modern, post, session } from './support/client.js'

const odd: readonly unknown[] = [
  null, 7, 'text', [], {}, { jsonrpc: '1.0', id: 1, method: 'tools/list' }, { jsonrpc: '2.0', id: { a: 1 }, method: 'tools/list' }, { jsonrpc: '2.0', id: 1, method: 7 },
  { jsonrpc: '2.0', id: 1, result: {} }, message('tools/call'), message('tools/call', { name: 7 }), message('tools/call', { name: 'list_tiers', arguments: 'x' }),
  message('tools/call', { name: 'list_tiers', arguments: [] }), message('tools/call', { name: '__proto__' }), message('tools/call', { name: 'constructor', arguments: {} }),
  message('tools/call', { name: '<script>\u202e'.repeat(1_000) }), '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_tiers","arguments":{"__proto__":{"a":1}}}}',
  '['.repeat(100_000), message('prompts/get', { name: 'constructor' }), message('resources/read', { uri: 'file:///etc/passwd' }), message('resources/read'), message('prompts/get', { name: 'brief_chain', arguments: { chain: 7 } }), message('completion/complete', { ref: {}, argument: {} }),
  message('notifications/cancelled', { requestId: { a: 1 } }), message('logging/setLevel', { level: 'debug' }),
]

describe('MCP under odd messages', () => {
  let service: Service
  let url: string
  before(async function () { this.timeout(90_000); service = await startService(); url = `${service.api.url}/mcp` })
  after(() => service.stop())

  it('answers each with an error that tells nothing of the inside, in both revisions', async () => {
    const open = await session(url, service.agentKey)
    for (const body of odd) {
      for (const headers of [open, { ...modern('tools/call', {}, 'list_tiers').headers, 'X-API-Key': service.agentKey }]) {
        const answer = await post(url, headers, typeof body === 'string' && /^[{[]/.test(body) ? body : JSON.stringify(body))
        const told = `${JSON.stringify(body).slice(0, 120)} → ${answer.status} ${answer.text.slice(0, 300)}`
        assert.ok(answer.status < 500, told)
        assert.ok(!/node_modules|\bat .*:\d+:\d+|<script>|\u202e/.test(answer.text), told)
        assert.notEqual(answer.body?.error?.code, -32603, told)
        if (answer.body !== undefined && answer.status === 200) assert.ok(answer.body.error !== undefined || answer.body.result.isError === true || answer.body.result.content !== undefined, told)
      }
    }
    assert.equal((await post(url, open, message('ping'))).status, 200)
  })

  it('an error is no longer than an answer, whatever the call is called with', async () => {
    const strangers = (name: (index: number) => string) => Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [name(index), 1]))
    for (const [given, most, query] of [[strangers((index) => `stranger_${index}`), 4_000, ''], [strangers((index) => `${index}\u0001`.padEnd(100, '\u0001')), 4_000, ''], [strangers((index) => `${index}`.padEnd(100, 'x')), 1_000, '?max_tokens=1000']] as const) {
      const { body } = await post(`${url}${query}`, await session(url, service.agentKey), message('tools/call', { name: 'list_tiers', arguments: given }))
      const text: string = body.result.content[0].text
      assert.deepEqual([body.result.isError, JSON.parse(text).error.code], [true, 'VALIDATION_ERROR'])
      assert.ok(sizeOf(JSON.parse(text)) <= most * 2.6, `${text.length} characters for ${most} tokens`)
    }
  })
})
