import assert from 'node:assert/strict'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { openCoverage } from '../../api/coverage.js'
import { operations } from '../../api/registry.js'
import { filled, requiredQuery } from './support/examples.js'
import { startService, type Service } from './support/service.js'

const perps = operations.filter(({ lane }) => lane === 'perps')
const followedAlone = 'No node\'s files are read: fills, results of traders and liquidations are known of followed accounts alone'
const gap = { is_successful_empty: false, empty_reason: 'data_gap' }

describe('the perps venue', () => {
  let service: Service
  before(async function () { this.timeout(90_000); service = await startService() })
  after(() => service.stop())

  const heard = (at: Date) => service.store.insert('heads', [{ chain: 'HL', number: 1, hash: 'x', block_time: at.toISOString(), finalized: 0, endpoint: 'venue', observed_at: at.toISOString() }])

  it('is asked by seventeen public questions, each a tool named get_hl_*', () => {
    assert.equal(perps.length, 17)
    for (const { name, auth, tool, route, sources } of perps) assert.ok(name.startsWith('get_hl_') && auth === 'public' && tool && route.startsWith('GET /v1/feed/hl/') && (sources?.length ?? 0) > 0, name)
  })

  for (const { name, route, rows = '' } of perps) {
    it(`${name} is a gap, not a silence, while nothing is loaded`, async () => {
      const path = route.slice(4)
      const { status, body } = await service.call(`GET ${filled(path)}${path.endsWith('flow-history') ? requiredQuery(path, ['coin']) : ''}`, { key: null })
      assert.deepEqual([status, body.chain, body._meta.empty, body.coverage_status.tier, body.coverage_status.data_fresh], [200, 'HL', gap, 'perps-only', false])
      assert.ok(body[rows] === null || body[rows].length === 0)
    })
  }

  it('echoes what was asked, the account in lower case, each coin once', async () => {
    const log = (await service.call('GET /v1/feed/hl/signal-log?status=open&version=v7&limit=3&archived=true')).body
    assert.deepEqual([log.status, log.version, log.limit, log.archived], ['open', 'v7', 3, true])
    assert.equal((await service.call(`GET /v1/feed/hl/trader/0x${'AB'.repeat(20)}`)).body.address, `0x${'ab'.repeat(20)}`)
    assert.deepEqual((await service.call('GET /v1/feed/hl/depth?coins=BTC,@107,BTC,xyz:AAPL')).body.coins, ['BTC', '@107', 'xyz:AAPL'])
    assert.equal((await service.call('GET /v1/feed/hl/depth')).body.coins.length, 10)
    for (const coins of ['', ',', 'BTC,', 'BTC,;', Array(51).fill('BTC').join(',')]) assert.equal((await service.call(`GET /v1/feed/hl/depth?coins=${coins}`)).status, 422, coins)
  })

  it('is judged by when the venue was last heard: silence about perps means something once it is', async () => {
    let now = Date.now()
    const coverage = openCoverage(service.store, () => now)
    assert.deepEqual([await coverage.silence('HL', 'perps'), await coverage.silence('HL')], ['data_gap', 'unsupported_input'])
    await heard(new Date(now))
    now += 1_001
    assert.deepEqual([await coverage.silence('HL', 'perps'), await coverage.silence('HL'), (await coverage.status('HL')).data_fresh], [null, 'unsupported_input', true])
    now += 600_000
    assert.deepEqual([await coverage.silence('HL', 'perps'), (await coverage.status('HL')).warnings], ['stale_pipeline', ['The newest perps data are 10 min old', 'What was heard in the last 10 min has not been worked out yet', followedAlone]])
    assert.equal(await coverage.silence('ETH', 'perps'), 'stale_pipeline')
  })

  it('and Bitcoin: a bare list in REST, classified in its headers and as a tool', async () => {
    for (const [target, chain] of [['GET /v1/feed/btc/recent?entity_only=true&min_btc=0.5', 'BTC'], ['GET /v1/wallets/risky/polygon', 'MATIC']] as const) {
      const { body, headers } = await service.call(target)
      assert.deepEqual([body, headers.get('x-empty-reason'), headers.get('x-successful-empty'), JSON.parse(headers.get('x-coverage-status') ?? '').chain], [[], 'data_gap', 'false', chain])
    }
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.api.url}/mcp`), { requestInit: { headers: { 'X-API-Key': service.agentKey } } }) as never)
    const call = async (name: string, args: Record<string, unknown>) => (await client.callTool({ name, arguments: args })).structuredContent as Record<string, unknown>
    // Ethereum's pipeline is the one that has not been heard of for ten minutes.
    for (const [name, input, reason] of [['list_btc_flows', {}, 'data_gap'], ['list_risky_wallets', { chain: 'ETH' }, 'stale_pipeline']] as const) {
      const answer = await call(name, input)
      assert.deepEqual([answer['items'], answer['is_successful_empty'], answer['empty_reason']], [[], false, reason])
    }
    await client.close()
  })
})
