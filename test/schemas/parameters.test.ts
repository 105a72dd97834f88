/** Lists longer than the server takes of one parameter: they arrive whole, in their order, wherever the statement names them. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { openStore, type Store } from '../../schemas/clickhouse.js'
import { sendable } from '../../schemas/parameters.js'
import { clickhouseUrl } from '../support/servers.js'

const texts = Array.from({ length: 3_000 }, (_, place) => [`it's ${place}\t"\\"\nü 名前`, 'f'.repeat(40 + place % 7)])
const numbers = Array.from({ length: 40_000 }, (_, place) => place * 3)

describe('parameters of any length', () => {
  let store: Store
  before(async () => { store = openStore(await clickhouseUrl(), 'default') })
  after(() => store.close())

  it('short ones are sent as they are', () => {
    const params = { few: [1, 2, 3], text: 'x'.repeat(1_000), many: Array.from({ length: 500 }, () => 'a'), big: Array.from({ length: 20 }, () => 2n ** 200n) }
    assert.deepEqual(sendable('SELECT {few:Array(UInt8)}', params), { text: 'SELECT {few:Array(UInt8)}', params, long: false })
  })

  it('a list is cut between elements, and put together in each place', () => {
    const { text, params, long } = sendable('SELECT {n:Array(UInt64)}, has({n:Array(UInt64)}, {nn:UInt8})', { n: numbers, nn: 1 })
    const [first, ...rest] = Object.entries(params).filter(([name]) => name.startsWith('n_')).map(([, piece]) => piece as number[])
    assert.ok(long && rest.length > 1 && !('n' in params))
    assert.deepEqual([first, ...rest].flat(), numbers)
    assert.equal(text.split('arrayConcat').length, 3)
    assert.ok(text.endsWith('{nn:UInt8})'))
  })

  it('arrive whole in a query', async () => {
    const [row] = await store.query('SELECT {texts:Array(Array(String))} AS texts, length({numbers:Array(UInt64)}) AS count, arraySum({numbers:Array(UInt64)}) AS total', { texts, numbers }, z.object({ texts: z.array(z.array(z.string())), count: z.coerce.number(), total: z.coerce.number() }))
    assert.deepEqual(row, { texts, count: numbers.length, total: numbers.reduce((sum, one) => sum + one, 0) })
  })

  it('arrive whole in an insert, and find rows by the sort key', async () => {
    await store.execute('CREATE TABLE long_lists (number UInt64) ENGINE = MergeTree ORDER BY number SETTINGS index_granularity = 8192')
    try {
      await store.execute('INSERT INTO long_lists SELECT number FROM numbers(1000000)')
      await store.execute('INSERT INTO long_lists SELECT 5000000 + arrayJoin({numbers:Array(UInt64)})', { numbers })
      const found = await store.query('SELECT count() AS count FROM long_lists WHERE number IN {numbers:Array(UInt64)}', { numbers }, z.object({ count: z.coerce.number() }))
      assert.deepEqual(found, [{ count: numbers.length }])
      const plan = await store.query('EXPLAIN indexes = 1 SELECT count() FROM long_lists WHERE number IN {numbers:Array(UInt64)}', { numbers }, z.object({ explain: z.string() }))
      const [, read, all] = /Granules: (\d+)\/(\d+)/.exec(plan.map(({ explain }) => explain).join('\n')) ?? []
      assert.ok(Number(read) < Number(all) / 2, `${read} of ${all}`)
    } finally { await store.execute('DROP TABLE long_lists') }
  })
})
