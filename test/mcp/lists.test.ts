/** What answers a bare list over REST says of itself in headers; its tool says the same in members. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { operations } from '../../api/registry.js'
import { seed, seedHead } from '../api/support/seed.js'
import { startService, type Service } from '../api/support/service.js'
import { message, post, session } from './support/client.js'

const lists = operations.filter(({ output }) => output instanceof z.ZodArray)
const parsed = (text: string | null): unknown => (text === null ? undefined : JSON.parse(text))

describe('bare lists', function () {
  this.timeout(90_000)
  let service: Service
  let headers: Record<string, string>
  before(async () => {
    service = await startService()
    await seed(service.store, 1_000, 20)
    await seedHead(service.store, 1_019)
    headers = await session(`${service.api.url}/mcp`, service.agentKey)
  })
  after(() => service.stop())

  it('say what they are worth and where they come from, over REST and as tools', async () => {
    assert.ok(lists.length >= 8)
    let filled = 0
    for (const { name, route, tool, sources } of lists) {
      const rest = await service.call(route.replace('{chain}', 'ETH'))
      const status = parsed(rest.headers.get('x-coverage-status')), said = { sources: parsed(rest.headers.get('x-sources')), tool_version: rest.headers.get('x-tool-version') }
      assert.ok(status !== undefined && sources !== undefined && sources.length > 0, name)
      assert.deepEqual(said, { sources, tool_version: said.tool_version }, name)
      assert.match(said.tool_version ?? '', /^\d+\.\d+\.\d+/, name)
      if (!tool) continue
      const { body } = await post(`${service.api.url}/mcp`, headers, message('tools/call', { name, arguments: route.includes('{chain}') ? { chain: 'ETH' } : {} }))
      const { items, coverage_status: coverage, _meta: { sources: told, tool_version: version, empty }, empty_reason: reason, is_successful_empty: successful } = body.result.structuredContent
      assert.deepEqual([coverage, { sources: told, tool_version: version }], [status, said], name)
      assert.equal(items.length, rest.body.length, name)
      const why = items.length > 0 ? undefined : { is_successful_empty: successful, empty_reason: reason }
      if (items.length > 0) filled++
      assert.deepEqual([empty, rest.headers.get('x-empty-reason')], [why, why?.empty_reason ?? null], name)
    }
    assert.ok(filled > 0)
  })

  it('judge silence by what was asked, defaults included', async () => {
    // Of the last day only four minutes are indexed.
    const { body } = await post(`${service.api.url}/mcp`, headers, message('tools/call', { name: 'explore_flows', arguments: { from_class: 'hack' } }))
    assert.deepEqual([body.result.structuredContent.items, body.result.structuredContent.empty_reason], [[], 'data_gap'])
  })
})
