/** What each chain id means to each operation that takes one. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { operations } from '../../api/registry.js'
import { fieldsOfPath } from '../../api/routes.js'
import { chains } from '../../schemas/chains.js'
import { bodies, filled, requiredQuery } from './support/examples.js'
import { seed, seedHead } from './support/seed.js'
import { startService, type Service } from './support/service.js'

const ids = ['ETH', 'BTC', 'HL', 'ALL', 'MATIC', 'ARB', 'AVAX', 'BASE', 'OP', 'SOL'] as const
const unbacked = ['ARB', 'AVAX', 'BASE', 'OP', 'SOL'] as const
const withBlocks = ['ARB', 'AVAX', 'BASE', 'BTC', 'ETH', 'MATIC', 'OP', 'SOL']
const aliases = [['POLYGON', 'MATIC'], ['polygon', 'MATIC'], ['eth', 'ETH'], ['Ethereum', 'ETH'], ['bitcoin', 'BTC'], ['hyperliquid', 'HL'], ['all', 'ALL'], ['sol', 'SOL']] as const
const blockRoutes = ['/v1/blocks/latest?chain=$', '/v1/blocks/recent?chain=$', '/v1/blocks/$', '/v1/blocks/$/5']

describe('chains', () => {
  let service: Service
  const get = async (path: string) => service.call(`GET ${path}`)
  before(async function () {
    this.timeout(90_000)
    service = await startService()
    await seed(service.store, 1_000, 20)
    await seedHead(service.store, 1_019)
  })
  after(() => service.stop())

  it('are these ten', () => { assert.deepEqual(chains.map(({ id }) => id), [...ids]) })

  for (const id of unbacked) {
    it(`${id}: no block, tier unknown, and that is no error`, async () => {
      for (const path of blockRoutes) {
        const { status, body } = await get(path.replace('$', id))
        assert.deepEqual([status, body.chain, body.coverage_status.chain, body.coverage_status.tier, body.coverage_status.data_fresh, body.coverage_status.pipeline], [200, id, id, 'unknown', false, 'unknown'], path)
        assert.equal(body.coverage_status.warnings.length, 1)
        if ('block' in body) assert.equal(body.block, null)
        else assert.deepEqual([body.blocks, body.next_cursor, body.has_more], [[], null, false])
        assert.deepEqual(body._meta.empty, { is_successful_empty: false, empty_reason: 'unsupported_input' })
      }
    })
  }

  it('ETH: its block; BTC and MATIC: none yet, a gap', async () => {
    assert.equal((await get('/v1/blocks/latest?chain=ETH')).body.block.number, 1_019)
    for (const id of ['BTC', 'MATIC']) {
      const { body } = await get(`/v1/blocks/latest?chain=${id}`)
      assert.deepEqual([body.block, body.coverage_status.tier, body.coverage_status.pipeline, body._meta.empty.empty_reason], [null, 'unknown', 'pending', 'data_gap'])
    }
  })

  for (const id of ['HL', 'ALL'] as const) {
    it(`${id}: CHAIN_NO_BLOCKS, with where to look instead`, async () => {
      for (const path of blockRoutes) {
        const { status, body: { detail } } = await get(path.replace('$', id))
        assert.deepEqual([status, detail.error, detail.received, detail.valid_chains], [404, 'CHAIN_NO_BLOCKS', id, withBlocks], path)
        assert.match(detail.hint, /\/v1\/feed\/hl\/recent/)
      }
    })
  }

  it('POLYGON is MATIC, and case does not matter', async () => {
    for (const [alias, id] of aliases) {
      const { status, body } = await get(`/v1/whales/recent?chain=${alias}`)
      assert.deepEqual([status, body.chain, body.coverage_status.chain], [200, id, id], alias)
    }
    assert.equal((await get('/v1/blocks/POLYGON')).body.chain, 'MATIC')
  })

  it('ALL combines the live chains, with the warnings of each', async () => {
    const { body } = await get('/v1/whales/recent?chain=ALL&limit=2')
    assert.deepEqual([body.chain, body.count, body.coverage_status.pipeline], ['ALL', 2, 'mixed'])
    assert.ok(body.coverage_status.warnings.some((text: string) => text.startsWith('HL: ')) && body.coverage_status.warnings.some((text: string) => text.startsWith('BTC: ')))
  })

  for (const operation of operations) {
    const [method = '', path = ''] = operation.route.split(' ')
    const { properties = {}, required = [] } = z.toJSONSchema(operation.input, { io: 'input' })
    if (!('chain' in properties) || operation.writes === true) continue
    const ask = (chain: string) => {
      if (method === 'POST') return service.call(`${method} ${filled(path)}`, { body: { ...bodies[operation.route], chain } })
      const query = requiredQuery(path, required.filter((name) => name !== 'chain'))
      const at = fieldsOfPath(path).includes('chain') ? filled(path, { chain }) + query : `${filled(path)}${query}${query === '' ? '?' : '&'}chain=${chain}`
      return service.call(`${method} ${at}`)
    }

    it(`${operation.name}: every id is known, an unknown one is told so`, async () => {
      for (const id of [...ids, 'POLYGON']) {
        const { status, body, text } = await ask(id)
        const meant = id === 'POLYGON' ? 'MATIC' : id
        if (status === 200) assert.equal(body?.coverage_status?.chain ?? meant, meant, id)
        // Raw questions go to a node, and none is configured here.
        else if (operation.lane === 'raw_rpc' && status !== 422 && body.error !== undefined) assert.equal(body.error.code, 'NODE_NOT_CONFIGURED')
        // An operation may cover fewer chains or want another form of address; it says which chains it has.
        else if (status === 404) assert.ok(['CHAIN_NO_BLOCKS', 'UNKNOWN_CHAIN'].includes(body.detail?.error) && body.detail.valid_chains.length > 0 && !body.detail.valid_chains.includes(id), `${id}: ${text}`)
        else assert.deepEqual([status, body.error?.code], [422, 'VALIDATION_ERROR'], `${id}: ${text}`)
      }
      for (const id of ['PLUTO', 'ETHX', '%20', '0']) {
        const { status, body } = await ask(id)
        assert.deepEqual([status, body.detail?.error], [404, 'UNKNOWN_CHAIN'], id)
        assert.ok(body.detail.valid_chains.length > 0 && typeof body.detail.hint === 'string' && typeof body.detail.received === 'string')
      }
    })
  }
})
