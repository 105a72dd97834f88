import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { loadSql } from '../../schemas/sql.js'
import { openLedger, type Planned } from '../../stages/ledger/ledger.js'
import { bury } from '../../workers/deadLetters.js'
import { freshStore } from '../support/servers.js'

const piece = (from: number, to: number, hash = `0x${String(to)}`): Planned => ({ from, to, hash, parentHash: '', target: 't', floor: 0 })
const done = { rows: 1, bytes: 10, endpoint: 'node' }

describe('the ledger', () => {
  let store: Store
  beforeEach(async () => { ({ store } = await freshStore()) })

  it('lets one of many planners win a place in the plan', async () => {
    const planners = Array.from({ length: 8 }, () => openLedger(store))
    const position = await openLedger(store).position('ETH')
    const won = (await Promise.all(planners.map((planner, index) => planner.plan('ETH', position, [piece(index, index)])))).filter((batches) => batches !== null)
    assert.equal(won.length, 1)
    assert.deepEqual(await openLedger(store).intervals('ETH'), won[0]?.map(({ from, to }) => ({ from, to })))
  })

  it('merges what touches, and a rollback ends every batch that reaches it', async () => {
    const ledger = openLedger(store)
    await ledger.plan('ETH', { seq: 0, generation: 0 }, [piece(10, 19), piece(0, 9), piece(30, 30), piece(20, 20)])
    assert.deepEqual(await ledger.intervals('ETH'), [{ from: 0, to: 20 }, { from: 30, to: 30 }])
    assert.deepEqual(await ledger.rollBack('ETH', { seq: 1, generation: 0 }, 15, '0xaa'), { seq: 2, generation: 1 })
    assert.deepEqual(await ledger.intervals('ETH'), [{ from: 0, to: 9 }])
    const [batch] = await ledger.plan('ETH', { seq: 2, generation: 1 }, [piece(10, 19)]) ?? []
    assert.equal(batch?.generation, 1)
    assert.deepEqual(await ledger.endedBy(batch ?? assert.fail()), [])
    assert.equal((await ledger.endedBy({ ...batch, generation: 0 } as never)).length, 1)
  })

  it('looks after a rollback for minutes from when it was carried out, whatever the clock of who planned it said', async () => {
    const ledger = openLedger(store)
    await ledger.plan('ETH', { seq: 0, generation: 0 }, [piece(0, 9)])
    await ledger.rollBack('ETH', { seq: 1, generation: 0 }, 5, '0xaa')
    const told = async () => (await ledger.unapplied('ETH', 600)).map(({ seq, applied }) => [seq, applied])
    await store.execute("ALTER TABLE plans UPDATE at = now64(3) - INTERVAL 1 HOUR WHERE kind = 'rollback' SETTINGS mutations_sync = 1")
    assert.deepEqual(await told(), [[2, false]])
    const carriedOut = (seq: number, hours: number) => store.insert('rollbacks_applied', ['begun', 'deleted', 'done'].map((step, nth) => ({ chain: 'ETH', seq, from_block: 5, generation: seq - 1, step, epoch: step === 'begun' ? 0 : seq, rows_deleted: 0, writer: `w${seq}`, at: new Date(Date.now() - hours * 3_600_000 + nth).toISOString() })))
    await carriedOut(2, 0)
    assert.deepEqual(await told(), [[2, true]])
    await ledger.rollBack('ETH', { seq: 2, generation: 1 }, 5, '0xaa')
    await carriedOut(3, 1)
    assert.deepEqual(await told(), [[2, true]], 'planned now, and carried out an hour ago')
  })

  it('orders a stage by the batch below, across a rollback too', async () => {
    const ledger = openLedger(store)
    const [low, high] = await ledger.plan('ETH', { seq: 0, generation: 0 }, [piece(0, 9), piece(10, 19)]) ?? []
    assert.ok(low !== undefined && high !== undefined)
    assert.equal(await ledger.isNext(low, 'enrich'), true)
    assert.equal(await ledger.isNext(high, 'enrich'), false)
    assert.equal(await ledger.above(low, 'normalize'), null)
    await ledger.land(high, 'normalize', done, 5)
    assert.deepEqual(await ledger.above(low, 'normalize'), high)
    await ledger.land(low, 'enrich', done, 5)
    assert.equal(await ledger.isNext(high, 'enrich'), true)
    await ledger.rollBack('ETH', { seq: 1, generation: 0 }, 0, '0xaa')
    assert.equal(await openLedger(store).isNext(high, 'enrich'), false)
    assert.equal(await ledger.above(low, 'normalize'), null)
    // What is remembered of the lower one of before the rollback counts for nothing.
    const [lower, higher] = await ledger.plan('ETH', { seq: 2, generation: 1 }, [piece(0, 9), piece(10, 19)]) ?? []
    assert.ok(lower !== undefined && higher !== undefined)
    assert.equal(await ledger.isNext(higher, 'enrich'), false)
    await ledger.land(lower, 'normalize', done, 5)
    assert.equal(await ledger.isNext(higher, 'enrich'), false)
    await ledger.land(lower, 'enrich', done, 5)
    for (const one of [ledger, openLedger(store)]) assert.equal(await one.isNext(higher, 'enrich'), true)
  })

  it('lists what is unfinished with the stages that landed, and lands a stage once', async () => {
    const ledger = openLedger(store)
    const [batch] = await ledger.plan('ETH', { seq: 0, generation: 0 }, [piece(0, 9)]) ?? []
    assert.ok(batch)
    for (const stage of ['ingest', 'ingest', 'normalize'] as const) await ledger.land(batch, stage, done, 5)
    assert.deepEqual(await ledger.unfinished('ETH', 10), [{ batch, stages: new Set(['ingest', 'normalize']) }])
    assert.equal(await ledger.bytesPerBlock('ETH'), 1)
    const landing = ledger.land(batch, 'enrich', done, 5)
    assert.equal(await ledger.hasLanded(batch, 'enrich'), true, 'what is being written is waited for')
    await landing
    for (const one of [ledger, openLedger(store)]) assert.deepEqual([await one.hasLanded(batch, 'normalize'), await one.hasLanded(batch, 'index')], [true, false])
    for (const stage of ['enrich', 'index', 'alert'] as const) await ledger.land(batch, stage, done, 5)
    assert.deepEqual(await ledger.unfinished('ETH', 10), [])
  })

  it('finds the newest batches near the top, and wherever they are where too few lie there', async () => {
    await store.execute(`INSERT INTO plans (chain, seq, kind, from_block, to_block, hash, generation)
      SELECT 'ETH', number + 1, if(number = 79950, 'rollback', 'plan'), if(number = 79950, 20079940, if(number < 10, number * 1000000, 20000000 + number)) AS height, if(number = 79950, 0, height), 'x', number > 79949 FROM numbers(80000)`)
    await store.execute('OPTIMIZE TABLE plans FINAL')
    let asked: Record<string, unknown> = {}, times = 0
    const ledger = openLedger({ ...store, query: (statement, params, ...rest) => { asked = params; times += 1; return store.query(statement, params, ...rest) } })
    const heights = async (top: number, limit: number): Promise<number[]> => { times = 0; return (await ledger.tips('ETH', top, limit)).map(({ to_block: to }) => to) }
    assert.deepEqual([await heights(20_079_970, 22), times], [[...Array.from({ length: 20 }, (_, n) => 20_079_970 - n), 20_079_939, 20_079_938], 1])
    const plan = await store.query(`EXPLAIN indexes = 1 ${loadSql(new URL('../../stages/ledger/x', import.meta.url).href, 'tips.sql').text.replace(/^--.*$/gm, '')}`, asked, z.object({ explain: z.string() }))
    const [, read, all] = /by_to[\s\S]*?Granules: (\d+)\/(\d+)/.exec(plan.map((row) => row.explain).join('\n')) ?? []
    assert.ok(Number(read) <= 3 && Number(all) >= 9, `${read ?? ''} of ${all ?? ''} granules are read`)
    assert.deepEqual(await heights(20_000_010, 3), [20_000_010, 9_000_000, 8_000_000])
    assert.deepEqual(await heights(17_600_000_000, 2), [20_079_999, 20_079_998])
    assert.deepEqual(await heights(1_500_000, 5), [1_000_000, 0])
    assert.deepEqual(await openLedger(store).tips('BTC', 900_000, 8), [])
  })

  it('says how far batches have come, which entered the plan since, and what no node has', async () => {
    const ledger = openLedger(store)
    const [low] = await ledger.plan('ETH', { seq: 0, generation: 0 }, [piece(0, 9)]) ?? []
    const [high] = await ledger.plan('ETH', { seq: 1, generation: 0 }, [piece(20, 29)]) ?? []
    assert.ok(low !== undefined && high !== undefined)
    assert.deepEqual(await ledger.plannedSince('ETH', 1, 2), [high])
    assert.deepEqual(await ledger.plannedSince('ETH', 0, 1), [low])
    assert.equal((await ledger.progress('ETH', [low, high])).size, 0)
    for (const stage of ['ingest', 'alert'] as const) await ledger.land(low, stage, done, 5)
    await ledger.land(high, 'ingest', done, 5)
    assert.deepEqual([...(await ledger.progress('ETH', [low, high])).values()].map(({ finished }) => finished).sort(), [false, true])
    assert.equal(await ledger.isNext(high, 'enrich'), false)
    await bury(store, 'ingest', { ...low, from: 10, to: 19, hash: '' }, 8, new Error('nobody has it'))
    assert.deepEqual(await ledger.lacking('ETH'), [{ from: 10, to: 19 }])
    assert.equal(await ledger.isNext(high, 'enrich'), true)
  })
})
