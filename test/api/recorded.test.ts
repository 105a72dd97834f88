import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { calls, recordedPath, type Recorded } from '../../api/documents/recorded.js'
import { operations } from '../../api/registry.js'
import { message, post, session } from '../mcp/support/client.js'
import { fillRecorded } from './support/recorded.js'
import { startService, type Service } from './support/service.js'

const heights = [18_000_000, 19_426_586, 19_426_587]

/** Ages and cursors are of the moment; everything else is of the blocks. */
const still = (value: unknown): unknown => JSON.parse(JSON.stringify(value, (name, item: unknown) => {
  if (name === 'next_cursor' && typeof item === 'string') return '<next_cursor>'
  return typeof item === 'string' ? item.replace(/\d+ (s|min|h|days) old/, 'some days old').replace(/^http:\/\/127\.0\.0\.1:\d+/, 'http://127.0.0.1:8080') : item
}))

describe('the recorded calls', () => {
  let service: Service
  let headers: Record<string, string>
  before(async function () {
    this.timeout(180_000)
    service = await startService()
    await fillRecorded(service.store, heights)
    headers = await session(`${service.api.url}/mcp`, service.agentKey)
  })
  after(() => service.stop())

  const replay = async ({ operation: name, arguments: args }: (typeof calls)[number]): Promise<Recorded['calls'][number]> => {
    const operation = operations.find((one) => one.name === name)
    assert.ok(operation !== undefined && operation.route.startsWith('GET '), name)
    const inPath = new Set([...operation.route.matchAll(/\{(\w+)\}/g)].map(([, field]) => field ?? ''))
    const path = operation.route.replace(/\{(\w+)\}/g, (_whole, field: string) => encodeURIComponent(String(args[field])))
    const query = new URLSearchParams(Object.entries(args).filter(([field]) => !inPath.has(field)).map(([field, value]): [string, string] => [field, String(value)]))
    const rest = await service.call(query.size === 0 ? path : `${path}?${query.toString()}`)
    assert.equal(rest.status, 200, rest.text)
    const asked = operation.tool ? await post(`${service.api.url}/mcp`, headers, message('tools/call', { name, arguments: args })) : null
    assert.equal(asked?.body.result.isError, undefined, asked?.text)
    return { operation: name, arguments: args, answer: still(rest.body), payload: asked === null ? null : still(asked.body.result.structuredContent) as Record<string, unknown> }
  }

  it('are answered as they were (UPDATE_GOLDEN=1 records them anew)', async function () {
    this.timeout(60_000)
    const now = []
    for (const call of calls) now.push(await replay(call))
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(recordedPath, `${JSON.stringify({ from: `Ethereum mainnet blocks ${heights.join(', ')}, with the bundled labels and token lists`, calls: now }, null, 1)}\n`)
    assert.ok(existsSync(recordedPath), 'nothing is recorded: run with UPDATE_GOLDEN=1')
    const { calls: before } = JSON.parse(readFileSync(recordedPath, 'utf8')) as Recorded
    assert.deepEqual(now.map(({ operation }) => operation), before.map(({ operation }) => operation))
    for (const [index, one] of now.entries()) assert.deepEqual(one, before[index], one.operation)
  })
})
