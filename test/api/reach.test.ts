/** Silence about a time that is not wholly indexed is a gap; alerts that were taken back are not counted. */
import assert from 'node:assert/strict'
import { withoutKeys } from '../../api/keyFormat.js'
import { seed, seedHead } from './support/seed.js'
import { startService, type Service } from './support/service.js'

const gap = { is_successful_empty: false, empty_reason: 'data_gap' }
const nothing = { is_successful_empty: true, empty_reason: 'no_signal' }
const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString()

describe('how far the index reaches', function () {
  this.timeout(90_000)
  let service: Service
  // An island of 100 blocks two days ago, and 700 blocks (140 minutes) up to now.
  before(async () => {
    service = await startService()
    await seed(service.store, 100, 100, new Date(Date.now() - 2 * 86_400_000))
    await seed(service.store, 1_000, 700)
    await seedHead(service.store, 1_700)
  })
  after(() => service.stop())

  const emptyOf = async (path: string): Promise<unknown> => {
    const { body, headers } = await service.call(`GET ${path}`)
    assert.ok(!Array.isArray(body) || body.length === 0, path)
    return body._meta?.empty ?? { is_successful_empty: headers.get('x-successful-empty') === 'true', empty_reason: headers.get('x-empty-reason') }
  }

  it('takes a height that is not there for a gap', async () => {
    assert.deepEqual([await emptyOf('/v1/blocks/ETH/500'), await emptyOf('/v1/feed/block/ETH/500')], [gap, gap])
  })

  it('looks at the time that was asked about', async () => {
    const whales = (rest: string): Promise<unknown> => emptyOf(`/v1/whales/recent?chain=ETH&min_usd=99000000${rest}`)
    assert.deepEqual(await whales(''), nothing)
    assert.deepEqual(await whales(`&since=${ago(60)}`), nothing)
    assert.deepEqual(await whales(`&since=${ago(600)}`), gap)
    assert.deepEqual(await whales(`&until=${ago(2 * 1_440 - 10)}`), nothing)
    assert.deepEqual(await whales(`&until=${ago(600)}`), gap, 'the island ends before')
    assert.deepEqual(await whales(`&until=${ago(100)}`), gap)
    assert.deepEqual(await whales(`&since=${ago(2 * 1_440 - 5)}&until=${ago(2 * 1_440 - 10)}`), nothing)
    assert.deepEqual(await whales(`&until=${ago(3 * 1_440)}`), gap)
    assert.deepEqual(await emptyOf(`/v1/blocks/ETH?since=${ago(600)}&until=${ago(300)}`), gap)
    assert.deepEqual(await emptyOf(`/v1/feed/recent?since=${ago(3 * 1_440)}&until=${ago(3 * 1_440 - 10)}`), gap)
  })

  it('looks at the hours an answer covers', async () => {
    assert.deepEqual(await emptyOf('/v1/feed/swaps/recent?min_usd=1000000000'), nothing)
    assert.deepEqual([await emptyOf('/v1/dashboard/swap-pairs?minutes=60&min_usd=1000000000'), await emptyOf('/v1/dashboard/swap-pairs?minutes=600&min_usd=1000000000')], [nothing, gap])
    assert.deepEqual([await emptyOf('/v1/feed/emerging-tokens'), await emptyOf('/v1/wallets/flow-explorer?from_class=fund')], [gap, gap])
  })

  it('takes an address for idle only where all of the chain is indexed', async () => {
    const idle = `0x${'ee'.repeat(20)}`
    assert.deepEqual([await emptyOf(`/v1/wallets/${idle}`), await emptyOf(`/v1/wallets/trail/${idle}`)], [gap, gap])
    const { profiles } = (await service.call(`GET /v1/wallets/${idle}/all-chains`)).body
    assert.deepEqual(profiles.find((one: any) => one.chain === 'ETH').empty, gap)
  })

  it('says what part of a span it has', async () => {
    const indexedOf = async (path: string): Promise<any> => { const { body, headers } = await service.call(`GET ${path}`); return (body.window ?? JSON.parse(headers.get('x-window') ?? 'null')).indexed }
    assert.deepEqual(await indexedOf('/v1/dashboard/swap-pairs?minutes=60'), { first_block: 1_400, last_block: 1_699, blocks: 300, complete: true })
    assert.deepEqual(await indexedOf('/v1/dashboard/swap-pairs?minutes=600'), { first_block: 1_000, last_block: 1_699, blocks: 700, complete: false })
    assert.deepEqual([(await indexedOf('/v1/wallets/top/ETH')).complete, (await indexedOf('/v1/feed/emerging-tokens')).complete, (await indexedOf('/v1/feed/swaps/recent')).complete], [false, false, true])
  })

  it('takes no agents for none only where the registry is indexed from its beginning', async () => {
    assert.deepEqual([(await service.call('GET /v1/agents/summary')).body.agents, await emptyOf('/v1/agents/summary')], [0, gap])
  })

  it('sets nothing against a period that is not indexed', async () => {
    const trending = async (hours: number): Promise<any> => (await service.call(`GET /v1/feed/trending?hours=${hours}`)).body
    const [hour, three] = [await trending(1), await trending(3)]
    assert.deepEqual([hour.previous_indexed, hour.tokens[0].trend, Math.round(hour.tokens[0].change_percent)], [true, 'flat', 0])
    assert.deepEqual([three.previous_indexed, three.tokens[0].trend, three.tokens[0].change_percent], [false, 'unknown', null])
  })

  it('counts alerts that stand', async () => {
    const alert = (id: string, retracted: boolean, version: number): object => ({
      id, chain: 'ETH', rule: 'new_pool', rule_version: 1, severity: 'low', block_number: 1_690, block_hash: 'b'.repeat(32), block_time: new Date().toISOString(), tx_hash: 't'.repeat(32), position: 1, summary: 's', value_usd: null,
      amount: '0', token: 't'.repeat(20), from_address: 'f'.repeat(20), to_address: 'f'.repeat(20), retracted, generation: 1, version,
    })
    // Inserts of their own, which nothing has merged.
    await service.store.execute('SYSTEM STOP MERGES alerts')
    await service.store.insert('alerts', [alert('1'.repeat(32), false, 2), alert('2'.repeat(32), false, 2)])
    await service.store.insert('alerts', [alert('1'.repeat(32), true, 3)])
    assert.equal((await service.call('GET /v1/dashboard/overview')).body.last_hour.alerts, 1)
    assert.equal((await service.call('GET /v1/network/summary')).body.hourly.alerts, 1)
    assert.equal((await service.call('GET /v1/dashboard/alerts')).body.count, 1)
  })
})

describe('what is written down of a key', () => {
  it('is its public id', () => {
    const key = `hyd_${'aB3dE6gH'}${'x'.repeat(30)}`
    assert.equal(withoutKeys(`/v1/keys/${key}/revoke`), '/v1/keys/hyd_aB3dE6gH…/revoke')
    assert.equal(withoutKeys(`/v1/keys/${key.replace('_', '%5F')}`), '/v1/keys/hyd%5FaB3dE6gH…')
    assert.equal(withoutKeys('/v1/wallets/0x28c6c06298d514db089934071355e5743bf21d60'), '/v1/wallets/0x28c6c06298d514db089934071355e5743bf21d60')
  })
})
