/** What a tool says it takes as chain it answers on, and of chains whose questions it can never answer it says nothing. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { operations } from '../../api/registry.js'
import { fieldsOf } from '../../api/values.js'
import { bodies, filled, requiredQuery } from './support/examples.js'
import { seed } from './support/seed.js'
import { startService, type Service } from './support/service.js'

const bitcoin = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const ids = ['ETH', 'BTC', 'HL', 'ALL']

describe('chains that tools say they take', function () {
  this.timeout(300_000)
  let service: Service
  before(async () => {
    service = await startService()
    await seed(service.store, 1_000, 3)
  })
  after(() => service.stop())

  it('are those on which they are no errors and not beyond them', async () => {
    const wrong: string[] = []
    for (const operation of operations) {
      const [method = '', path = ''] = operation.route.split(' ')
      // Of the venue a question has no evidence, and yet calls that answer it.
      if (!operation.tool || operation.lane === 'raw_rpc' || operation.name === 'ask_blockchain' || operation.input.shape['chain'] === undefined) continue
      const told = (fieldsOf(operation).get('chain')?.description ?? '').match(/\b(ETH|BTC|HL|ALL)\b/g) ?? []
      if (told.length === 0) continue
      const answered = await Promise.all(ids.map(async (chain) => {
        const required = (z.toJSONSchema(operation.input, { io: 'input' }).required ?? []).filter((name) => name !== 'chain')
        const target = filled(path, { chain, ...(chain === 'BTC' ? { address: bitcoin, tx_hash: 'ab'.repeat(32) } : {}) }), query = method === 'POST' ? '' : requiredQuery(path, required)
        const { status, body, headers } = await service.call(`${method} ${target}${query}${method === 'POST' || path.includes('{chain}') ? '' : `${query === '' ? '?' : '&'}chain=${chain}`}`, method === 'POST' ? { body: { ...bodies[operation.route], chain } } : {})
        const reason = body?._meta?.empty?.empty_reason ?? headers.get('x-empty-reason')
        return (status === 200 || status === 404) && body?.detail?.error !== 'CHAIN_NO_BLOCKS' && body?.detail?.error !== 'UNKNOWN_CHAIN' && reason !== 'unsupported_input'
      }))
      const takes = ids.filter((_, at) => answered[at])
      if (takes.join() !== told.join()) wrong.push(`${operation.name}: takes ${takes.join()}, says ${told.join()}`)
    }
    assert.deepEqual(wrong, [])
  })
})
