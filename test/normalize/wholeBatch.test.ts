import assert from 'node:assert/strict'
import { z } from 'zod'
import { findChain } from '../../schemas/chains.js'
import type { Store } from '../../schemas/clickhouse.js'
import type { BatchRef } from '../../schemas/primitives.js'
import { presentBitcoin, normalizeBitcoin, stillRead } from '../../stages/normalize/bitcoin/statements.js'
import { presentEthereum, normalizeEthereum } from '../../stages/normalize/ethereum/statements.js'
import { readBatch } from '../../stages/normalize/readBatch.js'
import { pipeline } from '../../stages/pipeline.js'
import type { ChainModule, Context } from '../../stages/stage.js'
import { bitcoinBatch, bitcoinContext, insertBitcoin, rawAnswer } from '../support/bitcoin.js'
import { insertRaw } from '../support/raw.js'
import { freshStore } from '../support/servers.js'

/** What of the chain counts here; `fetch` stands for its nodes. */
const chains = {
  ETH: {
    batch: { chain: 'ETH', from: 19_426_586, to: 19_426_587, hash: '0xab', generation: 1, floor: 0 },
    module: { chain: findChain('ETH'), normalize: normalizeEthereum, whole: presentEthereum }, insert: (store: Store, heights: readonly number[]) => insertRaw(store, heights),
  },
  BTC: {
    batch: bitcoinBatch(1, 3), module: { ...bitcoinContext({} as Store).chain, normalize: normalizeBitcoin, whole: presentBitcoin },
    insert: (store: Store, heights: readonly number[]) => insertBitcoin(store, heights.map((height) => rawAnswer(height))),
  },
} as const
const heightsOf = ({ from, to }: BatchRef): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index)
const contextOf = (store: Store, module: object, fetch: () => Promise<void>): Context => ({
  ...bitcoinContext(store), chain: { ...module, source: { ingest: async () => { await fetch(); return { rows: 1, bytes: 7, endpoint: 'node' } } } } as unknown as ChainModule,
})
const facts = (store: Store, tables: readonly string[]) => Promise.all(tables.map(async (table) => (await store.query(`SELECT count() AS count, groupBitXor(cityHash64(toString(tuple(*)))) AS hash FROM ${table}`, {}, z.object({ count: z.coerce.number(), hash: z.string() })))[0]))

describe('a batch whose answers are gone', function () {
  this.timeout(120_000)
  for (const [id, { batch, module, insert }] of Object.entries(chains)) {
    const heights = heightsOf(batch), tables = id === 'ETH' ? ['blocks', 'logs', 'movements', 'swap_legs'] : ['blocks', 'btc_outputs', 'btc_read_transactions']

    it(`${id}: is fetched again and read whole, whether all of them are gone or some`, async () => {
      const { store: straight } = await freshStore()
      await insert(straight, heights)
      const { endpoint } = await readBatch(batch, contextOf(straight, module, () => Promise.reject(new Error('nothing is lacking'))))
      assert.equal(endpoint, '')
      const expected = await facts(straight, tables)
      assert.equal(expected[0]?.count, heights.length)
      for (const left of [[], heights.slice(0, 1)]) {
        const { store } = await freshStore()
        await insert(store, left)
        const outcome = await readBatch(batch, contextOf(store, module, () => insert(store, heights.filter((height) => !left.includes(height)))))
        assert.deepEqual([outcome.bytes, outcome.endpoint], [7, 'node'])
        assert.deepEqual(await facts(store, tables), expected)
      }
    })

    if (id === 'BTC') it(`${id}: is valued whole where what was read of it is gone, with its answers and without them`, async () => {
      const enrich = pipeline.find(({ name }) => name === 'enrich')
      // Coinbases alone, and a block of which eleven transactions wait for what they spend.
      for (const batch of [bitcoinBatch(1, 3), bitcoinBatch(482_683, 482_683)]) {
        const heights = heightsOf(batch)
        const valued = async (store: Store, fetch: () => Promise<void>) => {
          await enrich?.run(batch, contextOf(store, { ...module, stillRead }, fetch))
          return facts(store, ['btc_blocks', 'btc_transactions', 'btc_inputs', 'btc_flows'])
        }
        const { store: straight } = await freshStore()
        await insert(straight, heights)
        await readBatch(batch, contextOf(straight, module, () => Promise.reject(new Error('nothing is lacking'))))
        const expected = await valued(straight, () => Promise.reject(new Error('nothing is lacking')))
        assert.equal(expected[0]?.count, heights.length)
        const read = ['btc_read_blocks', 'btc_read_transactions', 'btc_read_inputs']
        // Each of these tables is rid of its old parts by itself: one may have lost what the others still have.
        for (const gone of [read, [...read, 'raw_payloads'], ...read.map((table) => [table]), ['btc_read_transactions', 'btc_read_inputs']]) {
          const { store } = await freshStore()
          await insert(store, heights)
          await readBatch(batch, contextOf(store, module, async () => undefined))
          for (const table of gone) await store.execute(`TRUNCATE TABLE ${table}`)
          assert.deepEqual(await valued(store, () => insert(store, heights)), expected, `${batch.from} ${gone.join(' ')}`)
        }
      }
    })

    it(`${id}: does not count as read where they do not stay`, async () => {
      const { store } = await freshStore()
      await insert(store, heights.slice(0, 1))
      await assert.rejects(readBatch(batch, contextOf(store, module, async () => undefined)), { code: 'ANSWERS_GONE', retry: 'attempt', message: new RegExp(`about ${heights.length - 1} of the blocks ${batch.from}–${batch.to} is not in raw_payloads.*then redrive$`) })
    })
  }
})
