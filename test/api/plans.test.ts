/** Hot statements read by the sort key: ClickHouse says so itself. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { loadSql } from '../../schemas/sql.js'
import type { Store } from '../../schemas/clickhouse.js'
import { freshStore } from '../support/servers.js'
import { seed } from './support/seed.js'

const everything = { to: '18446744073709551615', since: 0, until: Date.UTC(2200, 0), chain: 'ETH', min_usd: 0, from: 0, kind: 127, position: 4294967295, sub: 4294967295, limit: 50, offset: 0 }
const operations = new URL('../../api/operations/', import.meta.url)

const explain = async (store: Store, file: string, params: object): Promise<string> => {
  const sql = loadSql(new URL('x', operations).href, file)
  const rows = await store.query(`EXPLAIN indexes = 1 ${sql.text.replace(/^--.*$/gm, '')}`, { ...everything, ...params }, z.object({ explain: z.string() }))
  return rows.map((row) => row.explain).join('\n')
}

/** Granules read and granules there are, of the largest read in a plan, after its primary key. */
const granules = (plan: string): readonly [number, number] => [...plan.matchAll(/PrimaryKey[\s\S]*?Granules: (\d+)\/(\d+)/g)].map(([, read, all]) => [Number(read), Number(all)] as const).sort((a, b) => b[1] - a[1])[0] ?? [NaN, NaN]

describe('hot statements', function () {
  this.timeout(60_000)
  let store: Store
  before(async () => {
    store = (await freshStore()).store
    await seed(store, 1, 30_000)
    await store.execute('OPTIMIZE TABLE transfers FINAL')
  })

  it('whales of one block read its granules only', async () => {
    const [read, all] = granules(await explain(store, 'whales/listWhales.sql', { from: 100, block: 100 }))
    assert.ok(read <= 2 && all >= 8, `${read}/${all}`)
  })
  it('one block and the feed below a height leave most granules alone', async () => {
    for (const [file, params] of [['blocks/getBlock.sql', { at: 500 }], ['feed/listEvents.sql', { block: 500 }], ['whales/listWhales.sql', { from: 0, block: 500 }]] as const) {
      const [read, all] = granules(await explain(store, file, params))
      assert.ok(read <= 2 && read < all, `${file}: ${read}/${all}`)
    }
  })
  it('a question looks through the chunks of its window only', async () => {
    const [read, all] = granules(await explain(store, 'rag/ask/findEvidence.sql', { window: 2_000, blocks: [], txs: [], addresses: [], topics: ['pool'], words: ['binance'], limit: 8 }))
    assert.ok(read <= 2 && all >= 6, `${read}/${all}`)
    const [named, whole] = granules(await explain(store, 'rag/ask/findEvidence.sql', { window: 2_000, blocks: [700], txs: [], addresses: [], topics: [], words: ['x'], limit: 8 }))
    assert.ok(named <= 2 && named < whole, `${named}/${whole}`)
  })
  it('lists of the newest are read in the order of the key, backwards', async () => {
    for (const [file, params] of [['whales/listWhales.sql', { block: '18446744073709551615' }], ['blocks/listBlocks.sql', { below: '18446744073709551615' }], ['blocks/listBtcBlocks.sql', { below: '18446744073709551615' }]] as const) {
      const sql = loadSql(new URL('x', operations).href, file)
      const rows = await store.query(`EXPLAIN PLAN actions = 1 ${sql.text.replace(/^--.*$/gm, '')}`, { ...everything, ...params }, z.object({ explain: z.string() }))
      assert.match(rows.map((row) => row.explain).join('\n'), /InReverseOrder/, file)
    }
  })
})
