import assert from 'node:assert/strict'
import { z } from 'zod'
import { findChain } from '../../schemas/chains.js'
import type { Store } from '../../schemas/clickhouse.js'
import { enrichStatements } from '../../stages/enrich/statements.js'
import { loadSql } from '../../schemas/sql.js'
import { indexStatements } from '../../stages/index/statements.js'
import { openLedger } from '../../stages/ledger/ledger.js'
import { applyRollback } from '../../stages/rollback.js'
import { givenBy, type ChainModule } from '../../stages/stage.js'
import { run } from '../enrich/handmade.js'
import { fresh, pass, put, seen, views } from './segments.js'

const chain = findChain('ETH') ?? assert.fail()
const module = { chain: { ...chain, segmentBlocks: 8 } } as unknown as ChainModule
const segments = indexStatements.flat().filter((sql) => sql.writes.endsWith('_segments'))

/** Ends what lies from a block on, in the plan and in the tables. */
const rollBack = async (store: Store, from: number): Promise<{ seq: number; from_block: number; generation: number }> => {
  const ledger = openLedger(store)
  const done = await ledger.rollBack('ETH', await ledger.position('ETH'), from, '') ?? assert.fail()
  const rollback = { ...done, from_block: from }
  await applyRollback(store, module, rollback, { always: true })
  return rollback
}
const aggregates = async (store: Store): Promise<Record<string, unknown>> => { const all = await seen(store); return Object.fromEntries(views.map((view) => [view, all[view]])) }
const paramsOf = (from: number, to: number) => ({ chain: 'ETH', from, to, hash: '', generation: 0, floor: 0, segmentBlocks: 8 })

/** A computation of aggregates that has read the ledger and its rows, and writes them when told. */
const slowComputation = async (store: Store, from: number, to: number): Promise<() => Promise<void>> => {
  const texts = await Promise.all(segments.map(async (sql) => {
    const given = sql.given === undefined ? {} : await givenBy(sql.given, paramsOf(from, to), store)
    const [into = '', select = ''] = [sql.text.slice(0, sql.text.indexOf('SELECT')), sql.text.slice(sql.text.indexOf('SELECT'))]
    const kept = `kept_${sql.name}`
    await store.execute(`CREATE TABLE ${kept} AS ${sql.writes} ENGINE = Memory`)
    await store.execute(`${into.slice(into.indexOf('INSERT')).replace(sql.writes, kept)} ${select}`, { ...paramsOf(from, to), ...given })
    return `INSERT INTO ${sql.writes} SELECT * FROM ${kept}`
  }))
  return async () => { for (const text of texts) await store.execute(text) }
}

describe('segments and reorgs', function () {
  this.timeout(120_000)

  it('a backfill planned before a reorg counts, though it is indexed after the blocks that replaced the segment\'s end', async () => {
    const store = await fresh()
    await put(store, 13, 15)
    await pass(store, [[13, 13], [14, 14], [15, 15]])
    await rollBack(store, 14)
    await put(store, 14, 15, 1, 'b')
    await pass(store, [[14, 14], [15, 15]], 1)
    // Of the generation before the reorg, like everything that was planned before it.
    await put(store, 8, 12)
    await pass(store, [[8, 12]])
    const before = await aggregates(store)
    for (const sql of segments) await store.execute(`TRUNCATE TABLE ${sql.writes}`)
    await run(store, segments.map((sql) => [sql]), [[8, 15]], 7)
    assert.deepEqual(before, await aggregates(store))
  })

  it('after two reorgs that bring the first blocks back they are what a fresh computation gives', async () => {
    const store = await fresh()
    await put(store, 1, 20)
    await pass(store, [[1, 8], [9, 20]])
    await rollBack(store, 9)
    await put(store, 9, 20, 1, 'b')
    await pass(store, [[9, 15], [16, 20]], 1)
    await rollBack(store, 12)
    await put(store, 12, 20, 2)
    await pass(store, [[12, 15], [16, 20]], 2)
    const clean = await fresh()
    await put(clean, 1, 8)
    await put(clean, 9, 11, 0, 'b')
    await put(clean, 12, 20)
    await pass(clean, [[1, 20]])
    assert.deepEqual(await seen(store), await seen(clean))
  })

  it('a computation that read before others and writes after them loses', async () => {
    const store = await fresh()
    await put(store, 1, 8)
    await pass(store, [[1, 3]])
    const write = await slowComputation(store, 1, 3)
    await pass(store, [[4, 8]])
    const before = await aggregates(store)
    await write()
    assert.deepEqual(await aggregates(store), before)
  })

  it('what read orphaned blocks and was written after the rollback is swept, and the sweep finds nothing more', async () => {
    const store = await fresh()
    await put(store, 1, 7)
    await pass(store, [[1, 5], [6, 7]])
    const write = await slowComputation(store, 1, 5)
    const rollback = await rollBack(store, 6)
    const before = await aggregates(store)
    await write()
    assert.notDeepEqual(await aggregates(store), before)
    assert.ok(await applyRollback(store, module, rollback) > 0)
    assert.deepEqual(await aggregates(store), before)
    assert.equal(await applyRollback(store, module, rollback), 0)
  })

  it('late rows of orphaned blocks that a new block\'s aggregates counted are taken out of them', async () => {
    const store = await fresh()
    await put(store, 1, 7)
    await pass(store, [[1, 5]])
    const rollback = await rollBack(store, 6)
    const before = await aggregates(store)
    await put(store, 6, 7)
    await run(store, enrichStatements, [[6, 7]])
    await run(store, segments.map((sql) => [sql]), [[1, 5]], 1)
    assert.notDeepEqual(await aggregates(store), before)
    assert.ok(await applyRollback(store, module, rollback) > 0)
    assert.deepEqual(await aggregates(store), before)
  })

  it('a run that died after its deletes leaves the rollback due', async () => {
    const store = await fresh()
    const ledger = openLedger(store)
    await put(store, 1, 7)
    await pass(store, [[1, 7]])
    const rollback = await rollBack(store, 6)
    const due = async () => (await ledger.unapplied('ETH', 0)).map(({ seq }) => seq)
    assert.deepEqual(await due(), [])
    const died = { ...store, execute: (...call: Parameters<Store['execute']>) => (typeof call[0] === 'object' && call[0].writes === 'token_segments' ? Promise.reject(new Error('died')) : store.execute(...call)) }
    await assert.rejects(applyRollback(died, module, rollback, { always: true }), /died/)
    assert.deepEqual(await due(), [rollback.seq])
    await applyRollback(store, module, rollback, { always: true })
    assert.deepEqual(await due(), [])
    const epochs = await store.query('SELECT epoch FROM rollbacks_applied WHERE epoch > 0 ORDER BY epoch', {}, z.object({ epoch: z.number() }))
    assert.deepEqual(epochs.map(({ epoch }) => epoch), [1, 2, 3])
  })

  it('reads of the aggregates the segments it cuts, and not the whole table', async () => {
    const store = await fresh(), stale = loadSql(new URL('../../stages/x', import.meta.url).href, 'rollback_segments.sql')
    // A hundred thousand rows of ten thousand segments in the order of another key, as a merge leaves them.
    const keys: Readonly<Record<string, string>> = { address_segments: 'address', token_segments: 'token', pair_segments: 'token_a', class_segments: 'token', entity_token_segments: 'token' }
    for (const [table, key] of Object.entries(keys)) {
      await store.execute(`INSERT INTO ${table} (chain, hour, segment, ${key}, version) SELECT 'ETH', toDateTime(intDiv(number, 10) * 36), intDiv(number, 10), toFixedString(substring(SHA256(toString(number)), 1, 20), 20), 1 FROM numbers(100000)`)
      await store.execute(`OPTIMIZE TABLE ${table} FINAL`)
      const cut = (segment: number) => store.query(stale, { table, chain: 'ETH', segment, epoch: 1 }, z.object({ count: z.coerce.number() }), { max_rows_to_read: 30_000 })
      assert.deepEqual([await cut(10_000), await cut(9_999)], [[{ count: 0 }], [{ count: 10 }]], table)
    }
  })
})
