/**
 * The official conformance suite, in both revisions: against the product, every scenario that needs no fixture tools; against fixture tools
 * behind the product's own endpoint, doors and keys, everything that the suite requires of a server.
 */
import assert from 'node:assert/strict'
import { mcpOf } from '../../api/mcp/endpoint.js'
import { startService, type Service } from '../api/support/service.js'
import { fixtureServer } from './support/fixtureServer.js'
import { startProxy, type Proxy } from './support/proxy.js'
import { runSuite } from './support/suite.js'
import { ending } from '../support/endings.js'

const both = ['tools-list', 'resources-list', 'prompts-list', 'dns-rebinding-protection', 'server-sse-multiple-streams', 'completion-complete']
/** logging-set-level is left out: the logging capability is deprecated and the product does not declare it. The rest of the suite calls fixture tools. */
const scenarios: Readonly<Record<string, readonly string[]>> = {
  '2025-11-25': [...both, 'server-initialize', 'server-session-lifecycle', 'ping'],
  '2026-07-28': [...both, 'caching', 'http-header-validation', 'sep-2164-resource-not-found', 'server-stateless'],
}

/** Checks that can only run against the suite's own diagnostic tools, with the tool each asks for. */
const needFixtures: Readonly<Record<string, string>> = {
  'sep-2575-server-rejects-undeclared-capability': 'test_missing_capability',
  'sep-2575-missing-capability-http-400': 'test_missing_capability',
  'sep-2575-http-server-no-independent-requests-on-stream': 'test_streaming_elicitation',
  'sep-2575-server-no-log-without-loglevel': 'test_logging_tool',
}

describe('MCP conformance', () => {
  let service: Service
  let proxy: Proxy
  before(async function () { this.timeout(90_000); service = await startService(); proxy = await startProxy(service.api.url, service.agentKey) })
  after(ending(() => proxy, () => service))

  for (const [revision, names] of Object.entries(scenarios)) {
    for (const scenario of names) {
      it(`${revision} ${scenario}`, async () => {
        const checks = [...(await runSuite(proxy.url, '--scenario', scenario, '--spec-version', revision)).checks.values()].flat()
        const failed = checks.filter(({ status }) => status === 'FAILURE')
        const expected = failed.filter(({ id, errorMessage }) => needFixtures[id] !== undefined && errorMessage?.includes(`'${needFixtures[id]}'`) === true)
        assert.deepEqual(failed.filter((check) => !expected.includes(check)), [])
        assert.ok(checks.some(({ status }) => status === 'SUCCESS'), 'nothing was checked')
        if (scenario === 'server-stateless') assert.deepEqual(expected.map(({ id }) => id).sort(), Object.keys(needFixtures).sort())
      })
    }
  }
})

describe('MCP conformance, with fixture tools behind the same endpoint', function () {
  this.timeout(60_000)
  let service: Service
  let proxy: Proxy
  before(async () => { service = await startService({}, { mounts: (parts) => [mcpOf(parts, fixtureServer)] }); proxy = await startProxy(service.api.url, service.agentKey) })
  after(ending(() => proxy, () => service))

  for (const [revision, least] of [['2025-11-25', 30], ['2026-07-28', 37]] as const) {
    it(`${revision}: everything required passes, and nothing is expected to fail`, async () => {
      const { code, text, checks } = await runSuite(proxy.url, '--requirements', revision)
      const [summary = ''] = /=== SUMMARY ===[\s\S]*/.exec(text) ?? []
      assert.equal(code, 0, summary)
      const unscored = new Set([...summary.matchAll(/^ {2}[✓✗] (\S+) \(/gm)].map(([, name]) => name))
      const required = [...checks].filter(([name]) => !unscored.has(name))
      assert.ok(required.length >= least, `${required.length} scenarios`)
      assert.deepEqual(required.filter(([, made]) => made.some(({ status }) => status === 'FAILURE') || !made.some(({ status }) => status === 'SUCCESS')).map(([name]) => name), [])
      if (revision === '2026-07-28') for (const id of Object.keys(needFixtures)) assert.equal(checks.get('server-stateless')?.find((check) => check.id === id)?.status, 'SUCCESS', id)
    })
  }

  it('asks for the key first', async () => { assert.equal((await fetch(`${service.api.url}/mcp`, { method: 'POST', body: '{}' })).status, 401) })
})
