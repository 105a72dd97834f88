/** How the lag of a chain went: what was behind is counted from the highest block that stood then, whenever it came and whatever was fetched since. */
import assert from 'node:assert/strict'
import { createClient } from '@clickhouse/client'
import { z } from 'zod'
import { loadSql } from '../../schemas/sql.js'
import { dice, ledgerOf } from '../support/randomLedgers.js'
import { freshStore } from '../support/servers.js'
import { startService, type Service } from './support/service.js'

const listLags = loadSql(new URL('../../api/operations/dashboard/x', import.meta.url).href, 'listLags.sql')

describe('the lag of a chain, as it went', function () {
  this.timeout(90_000)
  let service: Service
  const minute = 60_000, now = Date.now()
  const ago = (minutes: number): string => new Date(now - minutes * minute).toISOString()
  const landed = (chain: string, from: number, to: number, minutes: number, generation = 0) => ({ chain, stage: 'enrich', from_block: from, to_block: to, hash: `0x${generation}${to}`, generation, rows: 1, bytes: 1, milliseconds: 1, endpoint: 'node', finished_at: ago(minutes) })
  const seen = (chain: string, number: number, minutes: number) => ({ chain, number, hash: 'x', block_time: ago(minutes), finalized: 0, endpoint: 'node', observed_at: ago(minutes) })
  const back = (chain: string, seq: number, from: number, generation: number, minutes: number) => ({ chain, seq, kind: 'rollback', from_block: from, to_block: 0, hash: 'x', parent_hash: '', generation, target: '', floor: 0, writer: 'test', at: ago(minutes) })
  before(async () => {
    service = await startService()
    const { store } = service
    await store.execute("INSERT INTO blocks (chain, block_number, block_hash, block_time, internal_complete, tx_count) SELECT arrayJoin(['BTC', 'ETH']), 1000003, unhex(repeat('11', 32)), now64(3), true, 1")
    await store.insert('batches', [
      // Nothing new for two hours, and old blocks are fetched.
      landed('BTC', 800_000, 800_000, 120), landed('BTC', 100, 199, 10), landed('BTC', 200, 299, 2),
      // Long ago 1,000,005 was rolled back; lately 1,000,002 and 1,000,003, of which one came again.
      landed('ETH', 999_000, 1_000_001, 130), landed('ETH', 1_000_002, 1_000_005, 125), landed('ETH', 1_000_002, 1_000_002, 110, 1), landed('ETH', 1_000_003, 1_000_003, 30, 1), landed('ETH', 1_000_002, 1_000_002, 15, 2),
    ])
    await store.insert('plans', [back('ETH', 2, 1_000_002, 1, 120), back('ETH', 4, 1_000_002, 2, 20)])
    await store.insert('heads', [
      seen('BTC', 800_000, 100), seen('BTC', 800_001, 8), seen('BTC', 800_002, 1),
      seen('ETH', 1_000_003, 40), seen('ETH', 1_000_003, 25), seen('ETH', 1_000_002, 18), seen('ETH', 1_000_004, 12), seen('ETH', 1_000_001, 5),
    ])
  })
  after(() => service.stop())
  const history = async (chain: string): Promise<unknown> => (await service.call('GET /v1/dashboard/chains')).body.chains.find((one: any) => one.chain === chain).lagHistory

  it('is from the tip and not from old blocks that are fetched meanwhile', async () => {
    assert.deepEqual(await history('BTC'), [1, 2])
  })

  it('is from what stood at the time, before a reorg and after it, and never below nothing', async () => {
    assert.deepEqual(await history('ETH'), [1, 0, 1, 2, 0])
  })
})

describe('the lags of a chain', function () {
  this.timeout(60_000)
  const now = Date.now(), second = 1_000, minute = 60 * second
  const at = (time: number): string => new Date(time).toISOString()

  it('are those to the highest block that stood at each look, in any ledger', async () => {
    const { store } = await freshStore()
    const cases = Array.from({ length: 24 }, (_, index) => {
      const chain = `C${index}`, roll = dice(index + 50), { plan, landings } = ledgerOf(chain, index + 1, [0, 5, 15, 30][index % 4] ?? 0)
      const ends = plan.filter(({ kind }) => kind === 'rollback').map((end) => ({ ...end, at: now - 110 * minute + 2 * minute * end.seq }))
      // Of some chains nothing is older than an hour, of some all is; at odd seconds, so that none is where a look is.
      const told = landings.filter(({ stage }) => stage === 'enrich').map((one) => ({ ...one, finished: [one.finished, now - roll(3_300) * second, now - 65 * minute - roll(3_300) * second][index % 3] ?? 0 })).map((one) => ({ ...one, finished: one.finished - one.finished % (2 * second) + second }))
      const looks = Array.from({ length: 25 }, (_, place) => ({ number: 40 + roll(60), seen: now - now % (2 * second) - place * 2 * minute }))
      return { chain, ends, told, looks }
    })
    await store.insert('plans', cases.flatMap(({ ends }) => ends.map(({ chain, seq, from, generation, at: time }) => ({ chain, seq, kind: 'rollback', from_block: from, to_block: 0, hash: '', parent_hash: '', generation, target: '', floor: 0, writer: 'w', at: at(time) }))))
    await store.insert('batches', cases.flatMap(({ told }) => told.map(({ chain, from, to, generation, finished }) => ({ chain, stage: 'enrich', from_block: from, to_block: to, hash: '', generation, rows: 1, bytes: 1, milliseconds: 1, endpoint: '', finished_at: at(finished) }))))
    await store.insert('heads', cases.flatMap(({ chain, looks }) => looks.map(({ number, seen }) => ({ chain, number, hash: '', block_time: at(seen), finalized: 0, endpoint: '', observed_at: at(seen) }))))
    let lags = 0
    for (const { chain, ends, told, looks } of cases) {
      const expected = looks.slice(0, 20).reverse().flatMap(({ number, seen }) => {
        const stood = told.filter((one) => one.finished <= seen && !ends.some((end) => end.generation > one.generation && end.from <= one.to && end.at <= seen)).map(({ to }) => to)
        return stood.length === 0 ? [] : [Math.max(0, number - Math.max(...stood))]
      })
      assert.deepEqual(await store.query(listLags, { chain }, z.object({ history: z.array(z.number()) })), [{ history: expected }], chain)
      lags += expected.length
    }
    assert.ok(lags > 200, `${lags} lags`)
  })

  it('and its newest block are read near the top, however long the chain is', async () => {
    const { url, database, store } = await freshStore()
    await store.execute(`INSERT INTO batches (chain, stage, from_block, to_block, finished_at)
      SELECT 'ETH', arrayJoin(['ingest', 'normalize', 'enrich', 'index', 'alert']), number, number, now64(3) - toIntervalSecond(12 * (300000 - number)) FROM numbers(300000)`)
    await store.execute("INSERT INTO blocks (chain, block_number, block_time) SELECT 'ETH', number, now64(3) FROM numbers(300000)")
    await store.execute("INSERT INTO heads (chain, number, observed_at) SELECT 'ETH', 300000, now64(3) - toIntervalSecond(30)")
    const client = createClient({ url, database })
    try {
      for (const file of ['listLags.sql', 'getChains.sql']) {
        const answer = await client.query({ query: loadSql(new URL('../../api/operations/dashboard/x', import.meta.url).href, file).text, query_params: { chain: 'ETH' }, format: 'JSON', clickhouse_settings: { wait_end_of_query: 1 } })
        const { rows } = await answer.json()
        assert.equal(rows, 1)
        const { read_rows: read } = JSON.parse(String(answer.response_headers['x-clickhouse-summary'])) as { read_rows: string }
        assert.ok(Number(read) < 150_000, `${read} rows for ${file}`)
      }
    } finally { await client.close() }
  })
})
