/** The official inspector against the product, in both eras: it lists, finds no schema that clients reject, and calls. */
import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { operations } from '../../api/registry.js'
import { startService, type Service } from '../api/support/service.js'
import { startProgram, type Ended } from '../support/run.js'

const inspector = fileURLToPath(new URL('../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url))

describe('MCP inspector', function () {
  this.timeout(60_000)
  let service: Service
  const run = (...args: string[]): Promise<Ended> =>
    startProgram(process.execPath, [inspector, '--cli', `${service.api.url}/mcp`, '--transport', 'http', '--header', `X-API-Key: ${service.agentKey}`, ...args]).ended
  before(async () => { service = await startService() })
  after(() => service.stop())

  for (const era of ['legacy', 'modern']) {
    it(`${era}: lists every tool with schemas that pass --strict, and calls one`, async () => {
      const listed = await run('--protocol-era', era, '--method', 'tools/list', '--strict')
      assert.equal(listed.code, 0, listed.text.slice(-2_000))
      for (const { name } of operations.filter(({ tool }) => tool)) assert.ok(listed.text.includes(`"name": "${name}"`), name)
      // What a model fills in is portable, but for the parameters of a raw call, which are whatever the method takes.
      assert.deepEqual([...new Set([...listed.text.matchAll(/Path: (inputSchema\S*)/g)].map(([, path]) => path))], ['inputSchema.properties.params.items'])
      const called = await run('--protocol-era', era, '--method', 'tools/call', '--tool-name', 'get_network_summary', '--tool-arg', 'chain=ETH')
      assert.equal(called.code, 0, called.text.slice(-2_000))
      assert.match(called.text, /coverage_status/)
    })
  }
})
