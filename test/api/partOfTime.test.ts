/** What is told of the last hour or day, or of a number of blocks, where only a part of it is indexed or has a price. */
import assert from 'node:assert/strict'
import { seed, seedHead } from './support/seed.js'
import { startService, type Service } from './support/service.js'

const missing = /Of ETH from \S+ to \S+ blocks are missing: counts and sums are of the 10 that are indexed, between 1000 and 1009/
const gap = { is_successful_empty: false, empty_reason: 'data_gap' }

describe('a store that began ten blocks ago', function () {
  this.timeout(60_000)
  let service: Service
  const get = async (path: string): Promise<any> => (await service.call(`GET /v1/${path}`)).body
  const warnings = ({ coverage_status: status }: any): string => status.warnings.join()
  before(async () => {
    service = await startService()
    await seed(service.store, 1_000, 10)
    await seedHead(service.store, 1_009)
  })
  after(() => service.stop())

  it('calls no part of an hour the hour', async () => {
    for (const path of ['network/summary?chain=ETH', 'network/summary?chain=ALL', 'dashboard/overview']) assert.match(warnings(await get(path)), missing, path)
    assert.match(warnings((await service.call('POST /v1/ask', { body: { question: 'How busy is the chain?', chain: 'ETH' } })).body), missing)
  })

  it('says in how many blocks a question was looked up', async () => {
    const looked = async (chain: string): Promise<number> => (await service.call('POST /v1/ask', { body: { question: 'Were there liquidations?', chain } })).body.window_blocks
    assert.deepEqual([await looked('ETH'), await looked('ALL'), await looked('BTC')], [10, 10, 0])
  })

  it('takes nobody at the top for a gap', async () => {
    await service.store.execute('DELETE FROM transfers WHERE true')
    for (const path of ['wallets/top/ETH', 'wallets?chain=ETH']) {
      const { body, headers } = await service.call(`GET /v1/${path}`)
      assert.deepEqual([body, headers.get('x-empty-reason')], [[], 'data_gap'], path)
    }
  })
})

describe('a chain that is indexed from its first block on', function () {
  this.timeout(60_000)
  let service: Service
  before(async () => {
    service = await startService()
    await seed(service.store, 0, 400)
    await seedHead(service.store, 399)
  })
  after(() => service.stop())

  it('has its hour', async () => {
    for (const path of ['network/summary?chain=ETH', 'dashboard/overview']) assert.doesNotMatch((await service.call(`GET /v1/${path}`)).body.coverage_status.warnings.join(), /blocks are missing/, path)
  })

  it('has its day, in its window and in a token', async () => {
    const { window, detail } = (await service.call(`GET /v1/tokens/0x${'0'.repeat(40)}`)).body
    assert.deepEqual([window.indexed.first_block, window.indexed.complete, detail.trading_24h.complete], [0, true, true])
  })

  it('says of nobody at the top that its blocks have no price', async () => {
    const top = async (path: string): Promise<readonly unknown[]> => {
      const { body, headers } = await service.call(`GET /v1/${path}`)
      return [body.length, headers.get('x-empty-reason'), /have no price/.test(headers.get('x-coverage-status') ?? '')]
    }
    await service.store.execute('DELETE FROM transfers WHERE true')
    for (const path of ['wallets/top/ETH?limit=7', 'wallets?chain=ETH&limit=7']) assert.deepEqual([(await top(path))[0], (await top(path))[2]], [0, false], path)
    await seed(service.store, 400, 1, new Date())
    for (const table of ['prices', 'transfers']) await service.store.execute(`DELETE FROM ${table} WHERE true`)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    for (const path of ['wallets/top/ETH?limit=8', 'wallets?chain=ETH&limit=8']) assert.deepEqual(await top(path), [0, gap.empty_reason, true], path)
  })
})
