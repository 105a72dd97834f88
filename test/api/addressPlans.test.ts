/** Statements about one address, and pages of chunks, read by the sort key, and whether a pool is known by an index: ClickHouse says so itself. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { loadSql } from '../../schemas/sql.js'
import type { Store } from '../../schemas/clickhouse.js'
import { freshStore } from '../support/servers.js'
import { seed } from './support/seed.js'

const operations = new URL('../../api/operations/x', import.meta.url).href

describe('statements about an address, and pages of chunks', function () {
  this.timeout(60_000)
  let store: Store
  const explain = async (file: string, params: object, without?: string): Promise<string> => {
    const text = loadSql(operations, file, without).text.replace(/^--.*$/gm, '')
    // A value that is computed first is executed before the plan is made, and has no place in it: it is planned by itself.
    const statement = /^\s*WITH \(\n([\s\S]*?)\n\) AS \w+/.exec(text)?.[1] ?? text
    return (await store.query(`EXPLAIN indexes = 1, actions = 1 ${statement}`, { ...params }, z.object({ explain: z.string() }))).map((row) => row.explain).join('\n')
  }
  /** Granules read of `table`, and all of them. */
  const granules = (plan: string, table: string): readonly [number, number] => {
    const [, read, all] = new RegExp(`ReadFromMergeTree \\([^)]*${table}\\)[\\s\\S]*?PrimaryKey[\\s\\S]*?Granules: (\\d+)/(\\d+)`).exec(plan) ?? []
    return [Number(read), Number(all)]
  }
  before(async () => {
    store = (await freshStore()).store
    await seed(store, 1, 40_000)
    await store.execute(`INSERT INTO address_transfers (chain, address, block_number, kind, position, sub, direction, block_time, tx_hash, token, other, amount, token_id, value_usd, generation) SELECT 'ETH', unhex(leftPad(hex(number % 5000), 40, '0')), intDiv(number, 100), 'native', number % 100, 0, 'in', now64(3), unhex(repeat('aa', 32)), unhex(repeat('00', 20)), unhex(repeat('02', 20)), 1, 0, 1., 0 FROM numbers(200000)`)
    await store.execute('OPTIMIZE TABLE address_transfers FINAL')
  })

  it('read the granules of their addresses only', async () => {
    const one = '17'.padStart(40, '0')
    const hop = { chain: 'ETH', source: true, upto: 9_000_000, since: 0, until: 7e12, whole: true, traced: true, addresses: [one], pairs: [one + '0'.repeat(40)], frontier: [[one, '0'.repeat(40), '1', '1', '0', '0', 'f'.repeat(40), '0', '1', '1', '1', '1']], bits: [], rates: [], moves: 100, items: 10, limit: 20 }
    for (const [file, params, without] of [['wallets/trail/traceHop.sql', hop, 'poisoned'], ['wallets/trail/traceHop.sql', { ...hop, whole: false }, 'queued'], ['wallets/listExposures.sql', { chain: 'ETH', address: one }, undefined], ['wallets/getDirectRisk.sql', { chain: 'ETH', address: one }, undefined]] as const) {
      const [read, all] = granules(await explain(file, params, without), 'address_transfers')
      assert.ok(read <= 2 && all >= 20, `${file}: ${read}/${all}`)
    }
  })

  it('a page of chunks of a chain begins at its cursor, and is read backwards', async () => {
    const plan = await explain('rag/listChunks.sql', { chain: 'ETH', topic: '', to_chain: 'ETH', to_block: 500, to_topic: 'pool', to_position: 1, to_id: 'ab'.repeat(32), limit: 50, offset: 0 })
    const [read, all] = granules(plan, 'chunks')
    assert.ok(read <= 2 && all >= 8, `${read}/${all}`)
    assert.match(plan, /InReverseOrder/)
  })

  it('whether a pool is known is looked up: of one that nobody saw no swap is read', async () => {
    const asked = { chain: 'ETH', token: '', pool: 'ab'.repeat(32) }
    const [, read, all] = /ReadFromMergeTree \([^)]*swaps\)[\s\S]*?Name: by_pool[\s\S]*?Granules: (\d+)\/(\d+)/.exec(await explain('tokens/isKnown.sql', asked)) ?? []
    assert.deepEqual([Number(read), Number(all) >= 5], [0, true], `${read}/${all}`)
    const known = async (params: object): Promise<unknown> => store.query(loadSql(operations, 'tokens/isKnown.sql'), { ...params }, z.object({ known: z.coerce.boolean() }))
    assert.deepEqual(await known(asked), [{ known: false }])
    assert.deepEqual(await known({ ...asked, pool: '0c'.repeat(32) }), [{ known: true }])
  })
})
