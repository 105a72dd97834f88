/** Lists of the first so many say that there is more, and where they take an offset it leads through all of them. */
import assert from 'node:assert/strict'
import { account, listTokens, seedLabel } from './support/handmade.js'
import { seed, seedHead } from './support/seed.js'
import { startService, type Service } from './support/service.js'

const many = 250, address = account('9')

describe('lists that are cut', function () {
  this.timeout(60_000)
  let service: Service
  const get = async (path: string): Promise<any> => { const { status, body } = await service.call(`GET /v1/${path}`); assert.equal(status, 200, JSON.stringify(body)); return body }
  before(async () => {
    service = await startService()
    const { store } = service
    await seed(store, 1_000, 10)
    await seedHead(store, 1_009)
    await store.execute("INSERT INTO transfers SELECT one.* REPLACE (toUInt32(100 + number) AS position, toFloat64(200000 + number) AS value_usd) FROM (SELECT * FROM transfers WHERE block_number = 1005 AND kind = 'erc20') AS one CROSS JOIN numbers({many:UInt64}) AS n", { many })
    await store.execute("INSERT INTO chunks SELECT one.* REPLACE (toUInt32(100 + number) AS position, toFixedString(unhex(leftPad(hex(number + 1), 64, '0')), 32) AS chunk_id) FROM (SELECT * FROM chunks WHERE block_number = 1006 AND topic = 'pool') AS one CROSS JOIN numbers({chunks:UInt64}) AS n", { chunks: 600 })
    const version = { confidence: 50, licence: 'test', valid_from: '2025-01-01 00:00:00.000', removed: false, version: 1 }
    await store.insert('labels', Array.from({ length: 101 }, (_, place) => ({ chain: 'ETH', address, label: `report ${place}`, entity: '', category: 'scam', source: 'community', rule: 'a list', ...version })))
    const mixerOf = (place: number): string => `0x${'7e'.repeat(18)}${place.toString(16).padStart(4, '0')}`
    await store.insert('labels', Array.from({ length: 201 }, (_, place) => ({ chain: 'ETH', address: mixerOf(place), label: 'a mixer', entity: 'mixer', category: 'mixer', source: 'test', rule: '', ...version })))
    await seedLabel(store, 'e', 'Some Exchange', 'exchange')
    await listTokens(store, 'f')
    await store.execute(`INSERT INTO address_transfers SELECT 'ETH', unhex(repeat('5', 40)), 1005, 'erc20', toUInt32(number), 0, 'out', now64(3), unhex(repeat('00', 32)), unhex(repeat('f', 40)), unhex(concat(repeat('7e', 18), leftPad(hex(number), 4, '0'))), 100, 0, 100., 0, toUInt32(number) FROM numbers(201)`)
  })
  after(() => service.stop())

  it('movements of a block', async () => {
    const first = await get('feed/block/ETH/1005'), rest = await get('feed/block/ETH/1005?offset=200'), feed = await get('feed/recent?chain=ETH&limit=10')
    assert.deepEqual([first.whale_txs.length, first.has_more, rest.has_more, (await get('feed/block/ETH/1004')).has_more], [200, true, false, false])
    assert.equal(first.whale_txs.length + rest.whale_txs.length, feed.blocks.find((one: any) => one.block_number === 1_005).whale_count)
    assert.equal(new Set([...first.whale_txs, ...rest.whale_txs].map((one: any) => `${one.kind} ${one.position}`)).size, many + 2)
    const { status, body: { error } } = await service.call('GET /v1/feed/block/ETH/1005?offset=252')
    assert.deepEqual([status, error.details[0].msg], [422, 'There are 252 rows: offset passes over all of them'])
  })

  it('events of a block', async () => {
    const first = await get('feed/block/ETH/1006'), rest = await get('feed/block/ETH/1006?offset=500')
    assert.deepEqual([first.events.length, first.has_more, rest.events.length, rest.has_more], [500, true, 102, false])
    assert.equal(new Set([...first.events, ...rest.events].map((one: any) => one.chunk_id)).size, 602)
  })

  it('reports of abuse', async () => {
    const first = await get(`forensic/abuse/${address}`), rest = await get(`forensic/abuse/${address}?offset=100`)
    assert.deepEqual([first.count, first.has_more, rest.count, rest.has_more], [100, true, 1, false])
    assert.equal(new Set([...first.reports, ...rest.reports].map((one: any) => one.label)).size, 101)
  })

  it('uses of mixers', async () => {
    const { direct, has_more: more, leads_complete: compared } = await get(`forensic/mixers/${account('5')}`)
    assert.deepEqual([direct.length, more, compared], [200, true, false])
    const none = await get(`forensic/mixers/${account('6')}`)
    assert.deepEqual([none.direct.length, none.has_more], [0, false])
  })
})
