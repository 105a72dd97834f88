/** Silence about a time that is not wholly indexed is a gap; alerts that were taken back are not counted. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { withoutKeys } from '../../api/keyFormat.js'
import { loadSql } from '../../schemas/sql.js'
import { withoutMerges } from '../support/servers.js'
import { seed, seedHead } from './support/seed.js'
import { startService, type Service } from './support/service.js'

const gap = { is_successful_empty: false, empty_reason: 'data_gap' }
const stale = { is_successful_empty: false, empty_reason: 'stale_pipeline' }
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

  it('takes a time from before the first block of a chain for one from that block on', async () => {
    await service.store.execute("INSERT INTO blocks (chain, block_number, block_time) SELECT 'MADE', number, toDateTime64(1231469665 + number * 600, 3) FROM numbers(1, 5)")
    const whole = async (low: number, genesis: number, since: string): Promise<boolean | undefined> =>
      (await service.store.query(loadSql(new URL('../../api/x', import.meta.url).href, 'reach.sql'), { chain: 'MADE', low, newest: 5, genesis, since: Date.parse(since), until: Date.now() }, z.object({ whole: z.coerce.boolean() })))[0]?.whole
    assert.deepEqual([await whole(0, 1, '2008-01-01T00:00:00Z'), await whole(0, 1, '2009-01-09T03:20:00Z')], [true, true])
    // Where the first block is lacking, or may be.
    assert.deepEqual([await whole(0, 0, '2008-01-01T00:00:00Z'), await whole(2, 1, '2008-01-01T00:00:00Z')], [false, false])
  })

  it('looks at the hours an answer covers', async () => {
    assert.deepEqual(await emptyOf('/v1/feed/swaps/recent?min_usd=1000000000'), nothing)
    assert.deepEqual([await emptyOf('/v1/dashboard/swap-pairs?minutes=60&min_usd=1000000000'), await emptyOf('/v1/dashboard/swap-pairs?minutes=600&min_usd=1000000000')], [nothing, gap])
    assert.deepEqual([await emptyOf('/v1/feed/emerging-tokens'), await emptyOf('/v1/wallets/flow-explorer?from_class=fund')], [gap, gap])
  })

  it('looks at the hours of a window that is said in a word', async () => {
    await service.store.execute("INSERT INTO labels (chain, address, label, entity, category, source, rule, confidence, valid_from, version) SELECT 'ETH', {address:String}, 'A fund', '', 'fund', 'test', '', 80, now64(3), 1", { address: `0x${'fd'.repeat(20)}` })
    await service.store.execute('SYSTEM RELOAD DICTIONARY label_of')
    assert.deepEqual(await Promise.all(['1h', '2h', '3h', '1d', '7d'].map((window) => emptyOf(`/v1/wallets/smart-money-flow?window=${window}`))), [nothing, nothing, gap, gap, gap])
  })

  it('looks at the days a ranking covers', async () => {
    const { store } = service
    await store.execute("INSERT INTO leader_runs SELECT 'ETH', 'smart_trader', 2, 1690, now64(3), 1695, now64(3)")
    for (const days of [30, 180]) assert.deepEqual(await emptyOf(`/v1/smart-money/leaderboard?days=${days}`), gap)
    for (const days of [1, 90]) assert.deepEqual(await emptyOf(`/v1/mev/searchers?days=${days}`), gap)
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
    for (const path of ['list', 'list?chain=ETH']) assert.deepEqual(await emptyOf(`/v1/agents/${path}`), gap, path)
    for (const name of ['7', 'Nobody', `0x${'ee'.repeat(20)}`]) assert.deepEqual(await emptyOf(`/v1/agent-identity/${name}`), gap, name)
  })

  it('takes a token or a pool that nobody has seen for untraded only where all of the chain is indexed', async () => {
    for (const path of [`0x${'ee'.repeat(20)}?interval=1h`, `0x${'ee'.repeat(20)}?interval=1h&until=${ago(30)}`, `0x${'ee'.repeat(32)}?of=pool`]) assert.deepEqual(await emptyOf(`/v1/candles/${path}`), gap, path)
  })

  it('has a gap below the oldest block, where nothing says that it is not asked about', async () => {
    for (const path of ['/v1/blocks/recent?chain=ETH&', '/v1/blocks/ETH?']) {
      assert.deepEqual([await emptyOf(`${path}offset=5000`), await emptyOf(`${path}offset=5000&until=${ago(30)}`), await emptyOf(`${path}offset=5000&since=${ago(60)}`)], [gap, gap, nothing], path)
    }
  })

  it('takes no owner for none only where registers are loaded', async () => {
    assert.deepEqual([await emptyOf('/v1/entity/Nobody'), await emptyOf('/v1/entity/list')], [gap, gap])
  })

  it('refuses to pass over all that happened in a block', async () => {
    const { status, body: { error } } = await service.call('GET /v1/feed/block/ETH/1200?offset=2')
    assert.deepEqual([status, error.details], [422, [{ type: 'validation_error', loc: ['query', 'offset'], msg: 'There are 2 rows: offset passes over all of them' }]])
    const { block, events, whale_txs: whales } = (await service.call('GET /v1/feed/block/ETH/1200?offset=1')).body
    assert.deepEqual([block.number, events.length, whales.length], [1_200, 1, 1])
    assert.deepEqual(await emptyOf('/v1/feed/block/ETH/500?offset=2'), gap)
  })

  it('sets nothing against a period that is not indexed', async () => {
    const trending = async (hours: number): Promise<any> => (await service.call(`GET /v1/feed/trending?hours=${hours}`)).body
    const [hour, three] = [await trending(1), await trending(3)]
    assert.deepEqual([hour.previous_indexed, hour.tokens[0].trend, Math.round(hour.tokens[0].change_percent)], [true, 'flat', 0])
    assert.deepEqual([three.previous_indexed, three.tokens[0].trend, three.tokens[0].change_percent, three.tokens[0].previous_volume_usd], [false, 'unknown', null, null])
    assert.ok(hour.tokens[0].previous_volume_usd > 0)
  })

  it('counts alerts that stand', async () => {
    const alert = (id: string, retracted: boolean, version: number): object => ({
      id, chain: 'ETH', rule: 'new_pool', rule_version: 1, severity: 'low', block_number: 1_690, block_hash: 'b'.repeat(32), block_time: new Date().toISOString(), tx_hash: 't'.repeat(32), position: 1, summary: 's', value_usd: null,
      amount: '0', token: 't'.repeat(20), from_address: 'f'.repeat(20), to_address: 'f'.repeat(20), retracted, generation: 1, version,
    })
    // Inserts of their own, which nothing has merged.
    await withoutMerges(service.store, 'alerts', async () => {
      await service.store.insert('alerts', [alert('1'.repeat(32), false, 2), alert('2'.repeat(32), false, 2)])
      await service.store.insert('alerts', [alert('1'.repeat(32), true, 3)])
      const [{ last_hour: hour }, { hourly }] = [(await service.call('GET /v1/dashboard/overview')).body, (await service.call('GET /v1/network/summary')).body]
      assert.deepEqual([hour.alerts, hourly.alerts], [1, 1])
      assert.deepEqual([hour.blocks, hourly.blocks], [300, 300], 'the block an hour before the newest is of the hour before')
      assert.equal((await service.call('GET /v1/dashboard/alerts')).body.count, 1)
    })
  })

  it('tells an alert as its newest version has it, in whatever order they came', async () => {
    const alert = (id: string, rule: string, version: number): object => ({
      id: id.repeat(32), chain: 'ETH', rule, rule_version: 1, severity: 'low', block_number: 1_691, block_hash: 'b'.repeat(32), block_time: new Date().toISOString(), tx_hash: 't'.repeat(32), position: 1, summary: `version ${version}`, value_usd: version,
      amount: '0', token: 't'.repeat(20), from_address: 'f'.repeat(20), to_address: 'f'.repeat(20), retracted: false, generation: 1, version,
    })
    await withoutMerges(service.store, 'alerts', async () => {
      // A writer of an older generation may be the last.
      for (const [id, version] of [['3', 2], ['3', 4], ['4', 4], ['4', 2]] as const) await service.store.insert('alerts', [alert(id, 'new_pool', version)])
      for (const [id, version] of [['5', 2], ['5', 4], ['6', 4], ['6', 2]] as const) await service.store.insert('alerts', [alert(id, 'copy_trade', version)])
      const { alerts } = (await service.call('GET /v1/dashboard/alerts?limit=4')).body
      assert.deepEqual(alerts.map((one: any) => [one.id.slice(0, 2), one.summary]), ['36', '35', '34', '33'].map((id) => [id, 'version 4']))
      const { alerts: trades } = (await service.call('GET /v1/smart-money/alerts?min_usd=1')).body
      assert.deepEqual(trades.map((one: any) => [one.id.slice(0, 2), one.value_usd]), [['36', 4], ['35', 4]])
    })
  })
})

describe('a chain that has stopped', function () {
  this.timeout(90_000)
  let service: Service
  // Blocks 1,000 to 1,299 are an hour, which ended a day ago; 1,300 to 1,309 are missing, 1,310 to 1,319 are there.
  const begin = Date.now() - 25 * 3_600_000
  const at = (height: number): string => new Date(begin + 12_000 * (height - 1_000)).toISOString()
  const tx = (height: number, index: number): string => `0x${height.toString(16).padStart(62, '0')}0${index}`
  before(async () => {
    service = await startService()
    await seed(service.store, 1_000, 300, new Date(begin))
    await seed(service.store, 1_310, 10, new Date(begin + 12_000 * 310))
    await seedHead(service.store, 9_000)
  })
  after(() => service.stop())
  const emptyOf = async (path: string): Promise<unknown> => (await service.call(`GET ${path}`)).body._meta.empty

  it('has what it has: a time and heights it went past are known', async () => {
    const whales = (rest: string): Promise<unknown> => emptyOf(`/v1/whales/recent?chain=ETH&min_usd=99000000${rest}`)
    assert.deepEqual(await whales(''), stale)
    assert.deepEqual(await whales(`&since=${at(1_100)}`), stale)
    assert.deepEqual(await whales(`&since=${at(1_100)}&until=${at(1_200)}`), nothing)
    assert.deepEqual(await whales(`&since=${at(1_100)}&until=${at(1_305)}`), gap)
    assert.deepEqual(await whales(`&since=${at(1_100)}&until=${at(1_400)}`), stale)
    const mev = (rest: string): Promise<unknown> => emptyOf(`/v1/mev?limit=5${rest}`)
    assert.deepEqual([await mev(''), await mev('&from_block=1100'), await mev('&from_block=1100&to_block=1400')], [stale, stale, stale])
    assert.deepEqual([await mev('&from_block=1100&to_block=1200'), await mev('&from_block=1310&to_block=1319')], [nothing, nothing])
    assert.deepEqual([await mev('&from_block=1100&to_block=1310'), await mev('&to_block=1200'), await mev('&from_block=900&to_block=1200')], [gap, gap, gap])
    const idle = `0x${'ee'.repeat(20)}`
    assert.deepEqual([await emptyOf(`/v1/wallets/trail/${idle}`), await emptyOf(`/v1/wallets/trail/${idle}?since=${at(1_100)}&until=${at(1_200)}`), await emptyOf(`/v1/wallets/trail/${idle}?until=${at(1_200)}`)], [stale, nothing, gap])
  })

  it('has a gap where a height it went past is missing; above it the pipeline is behind', async () => {
    for (const path of ['/v1/blocks/ETH', '/v1/feed/block/ETH']) {
      assert.deepEqual([await emptyOf(`${path}/500`), await emptyOf(`${path}/1305`), await emptyOf(`${path}/1320`)], [gap, gap, stale], path)
    }
  })

  it('knows that a transaction swapped nothing, once its block is worked out', async () => {
    const hops = (of: string): Promise<unknown> => emptyOf(`/v1/feed/action/${of}/hops`)
    assert.deepEqual([await hops(tx(1_200, 1)), await hops(tx(1_305, 1))], [nothing, gap])
    await service.store.execute("INSERT INTO blocks SELECT b.* REPLACE (toUInt64(1320) AS block_number) FROM blocks AS b WHERE b.block_number = 1319")
    await service.store.execute(`INSERT INTO transactions SELECT t.* REPLACE (toUInt64(1320) AS block_number, unhex('${tx(1_320, 1).slice(2)}') AS tx_hash) FROM transactions AS t WHERE t.block_number = 1319 AND t.tx_index = 1`)
    assert.deepEqual(await hops(tx(1_320, 1)), stale)
  })
})

describe('a chain that is indexed from its first block on', function () {
  this.timeout(90_000)
  it('has nothing below it, and what was never seen in it was never there', async () => {
    const service = await startService()
    try {
      await seed(service.store, 0, 50)
      await seedHead(service.store, 50)
      for (const path of ['/v1/blocks/recent?chain=ETH&offset=5000', '/v1/blocks/ETH?offset=5000', '/v1/agents/list', '/v1/agent-identity/Nobody', `/v1/candles/0x${'ee'.repeat(20)}`]) assert.deepEqual((await service.call(`GET ${path}`)).body._meta.empty, nothing, path)
    } finally { await service.stop() }
  })
})

describe('a day that is wholly indexed', function () {
  this.timeout(90_000)
  it('is evidence that nobody took anything on it, and none of the days before', async () => {
    const service = await startService()
    try {
      await seed(service.store, 1_000, 7_300)
      await seedHead(service.store, 8_300)
      assert.deepEqual(await Promise.all([1, 2].map(async (days) => (await service.call(`GET /v1/mev/searchers?days=${days}`)).body._meta.empty)), [nothing, gap])
    } finally { await service.stop() }
  })
})

// A few are on their way; behind many the pipeline is behind.
for (const [waiting, reason] of [[12, gap], [100, stale]] as const) {
  describe(`${waiting} blocks that have come and are worked on`, function () {
    this.timeout(90_000)
    let service: Service
    before(async () => {
      service = await startService()
      await seed(service.store, 1_000, 700)
      // The newest of another batch, of which the index has not had its turn.
      await seed(service.store, 1_700, waiting, new Date())
      await service.store.execute("DELETE FROM batches WHERE from_block = 1700 AND stage IN ('index', 'alert')")
      await seedHead(service.store, 1_700 + waiting)
    })
    after(() => service.stop())

    it('are no evidence of nothing, by height and by time', async () => {
      const of = async (path: string): Promise<unknown> => (await service.call(`GET ${path}`)).body._meta.empty
      const at = (height: number): string => new Date(Date.now() + (height - 1_700) * 12_000).toISOString()
      const mev = (from: number, to: number): Promise<unknown> => of(`/v1/mev?limit=5&from_block=${from}&to_block=${to}`)
      assert.deepEqual([await mev(1_600, 1_699), await mev(1_705, 1_709), await mev(1_600, 1_710)], [nothing, reason, reason])
      const whales = (from: number, to: number): Promise<unknown> => of(`/v1/whales/recent?chain=ETH&min_usd=99000000&since=${at(from)}&until=${at(to)}`)
      assert.deepEqual([await whales(1_600, 1_690), await whales(1_702, 1_709)], [nothing, reason])
    })

    it('are no evidence of nothing where nothing else was asked about', async () => {
      await service.store.execute('DELETE FROM swaps WHERE block_number >= 1700')
      const of = async (path: string): Promise<unknown> => (await service.call(`GET ${path}`)).body._meta.empty
      assert.deepEqual(await of('/v1/dashboard/swap-pairs?minutes=1'), reason)
      // A beginning without an end: a few of the newest may wait, but not all.
      const calm = waiting === 12 ? nothing : reason, since = (height: number): string => new Date(Date.now() + (height - 1_700) * 12_000).toISOString()
      assert.deepEqual(await Promise.all(['/v1/mev?limit=5&from_block=1705', '/v1/mev?limit=5&from_block=1600', `/v1/whales/recent?chain=ETH&min_usd=99000000&since=${since(1_703)}`, `/v1/whales/recent?chain=ETH&min_usd=99000000&since=${since(1_650)}`].map(of)), [reason, calm, reason, calm])
    })

    it('have an unknown number of events in the feed', async () => {
      await service.store.execute('DELETE FROM chunks WHERE block_number IN (1690, 1705)')
      const until = new Date(Date.now() + 8 * 12_000).toISOString()
      const { blocks } = (await service.call(`GET /v1/feed/recent?limit=40&min_usd=7&until=${until}`)).body
      assert.deepEqual([1_690, 1_695, 1_705].map((height) => blocks.filter((one: any) => one.block_number === height).map((one: any) => [one.event_count, one.events.length])), [[[0, 0]], [[2, 2]], [[null, 0]]])
    })
  })
}

describe('a range that ends before it begins', function () {
  this.timeout(90_000)
  it('is refused, and both of its ends are named', async () => {
    const service = await startService()
    try {
      for (const [path, from, to] of [
        ['/v1/mev?from_block=20&to_block=10', 'from_block', 'to_block'], ['/v1/whales/recent?since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z', 'since', 'until'],
        ['/v1/feed/emerging-tokens?since=2026-01-01T01:00:00Z&until=2026-01-01T01:30:00%2B01:00', 'since', 'until'], [`/v1/rpc/logs?from_block=2&to_block=1&address=0x${'11'.repeat(20)}`, 'from_block', 'to_block'],
      ] as const) {
        const { status, body } = await service.call(`GET ${path}`)
        assert.equal(status, 422, path)
        assert.deepEqual(body.error.details.map(({ type, loc }: any) => [type, ...loc]), [['range_reversed', 'query', from], ['range_reversed', 'query', to]])
      }
      assert.equal((await service.call('GET /v1/whales/recent?since=2026-01-01T00:00:00Z&until=2026-01-01T00:00:00Z')).status, 200)
    } finally { await service.stop() }
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
