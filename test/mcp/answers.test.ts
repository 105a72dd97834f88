import assert from 'node:assert/strict'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { startService, type Service } from '../api/support/service.js'
import { message, post, session } from './support/client.js'
import { probe } from './support/operations.js'

describe('MCP answers', () => {
  const { operations, seen } = probe()
  let service: Service
  let open: Record<string, string>
  const call = async (name: string, args: Record<string, unknown> = {}, headers = open) => {
    const { body } = await post(`${service.api.url}/mcp`, headers, message('tools/call', { name, arguments: args }))
    return { result: body.result, payload: JSON.parse(body.result.content[0].text) }
  }
  before(async function () { this.timeout(90_000); service = await startService({}, { operations }); open = await session(`${service.api.url}/mcp`, service.agentKey) })
  after(() => service.stop())

  it('is cut where it is too long, with the exact next call', async () => {
    const { payload, result } = await call('wide_rows', { limit: 120 })
    const { truncated } = payload._meta
    assert.ok(payload.rows.length > 5 && payload.rows.length < 40)
    assert.deepEqual([truncated.field, truncated.returned, truncated.available], ['rows', payload.rows.length, 120])
    assert.deepEqual(truncated.next, { name: 'list_wide', arguments: { limit: payload.rows.length, cursor: String(payload.rows.length) } })
    assert.deepEqual(result.structuredContent, payload)
    assert.equal((await call('list_wide', truncated.next.arguments)).payload.rows[0].number, payload.rows.length)
    assert.equal((await call('list_wide', { limit: 3 })).payload._meta.truncated, undefined)
  })

  it('says that there is no next call where there are no pages', async () => {
    const { payload } = await call('list_flat', { rows: 300 })
    assert.deepEqual([payload._meta.truncated.available, payload._meta.truncated.next], [300, null])
    assert.equal(payload.items.length, payload._meta.truncated.returned)
    assert.match(payload._meta.truncated.hint, /max_tokens/)
  })

  it('of two lists is cut in both, and the next call goes on in both', async () => {
    const seen = { short: [] as number[], long: [] as number[] }
    for (let args: Record<string, unknown> | undefined = {}, calls = 0; args !== undefined; calls += 1) {
      assert.ok(calls < 20)
      const { payload } = await call('get_two_lists', args)
      for (const list of ['short', 'long'] as const) seen[list].push(...payload[list].map(({ number }: { number: number }) => number))
      args = payload._meta?.truncated?.next?.arguments
    }
    assert.deepEqual([seen.short, seen.long], [30, 100].map((count) => Array.from({ length: count }, (_, at) => at)))
  })

  it('shortens inner lists and texts, and names them', async () => {
    const { payload } = await call('get_deep')
    assert.ok(encode(JSON.stringify(payload)).length <= 4_000)
    assert.deepEqual(payload._meta.truncated.cut, ['thing.data', 'thing.inner'])
    assert.match(payload.thing.data, /^0x(ab)+$/)
  })

  it('classifies a list at the top that is empty', async () => {
    assert.deepEqual((await call('list_flat')).payload, { items: [], is_successful_empty: null, empty_reason: 'unclassified' })
    assert.equal((await call('list_flat', { chain: 'SOL' })).payload.is_successful_empty, false)
  })

  it('runs orders with the caller\'s own role, and writes them down', async () => {
    const { result, payload } = await call('change_something')
    assert.deepEqual([result.isError, payload.error.code, seen.asks.length], [true, 'ROLE_REQUIRED', 0])
    const done = await call('change_something', {}, await session(`${service.api.url}/mcp`, service.adminKey))
    assert.deepEqual(done.result.structuredContent, { value: null })
    assert.equal(seen.asks[0]?.principal.role, 'admin')
  })

  it('has truthful hints for an order, and does not list what is no tool', async () => {
    const { body } = await post(`${service.api.url}/mcp`, open, message('tools/list'))
    const names = body.result.tools.map(({ name }: { name: string }) => name)
    assert.deepEqual(names, ['list_wide', 'get_deep', 'get_two_lists', 'list_flat', 'change_something', 'count_slowly', 'wait_forever'])
    assert.deepEqual(body.result.tools[4].annotations, { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false })
    assert.deepEqual(body.result.tools[0].annotations, { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false })
    const hidden = await post(`${service.api.url}/mcp`, open, message('tools/call', { name: 'not_a_tool', arguments: {} }))
    assert.equal(hidden.body.error.code, -32602)
  })
})
