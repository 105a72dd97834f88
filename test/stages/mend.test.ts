/** What a killed ClickHouse leaves: tokens that no row stands for. A deletion makes them too, for a token outlives its rows. */
import assert from 'node:assert/strict'
import { pino } from 'pino'
import { z } from 'zod'
import { findChain } from '../../schemas/chains.js'
import type { Store } from '../../schemas/clickhouse.js'
import type { BatchRef } from '../../schemas/primitives.js'
import { alertStatements } from '../../stages/alert/statements.js'
import { stateDigest } from '../../stages/digest/digest.js'
import { enrichStatements } from '../../stages/enrich/statements.js'
import { indexStatements } from '../../stages/index/statements.js'
import { openLedger, writeTarget } from '../../stages/ledger/ledger.js'
import { normalizeEthereum } from '../../stages/normalize/ethereum/statements.js'
import { applyRollback } from '../../stages/rollback.js'
import { runStatements, type ChainModule, type Context } from '../../stages/stage.js'
import { wantFollow } from '../../workers/follow.js'
import { insertRaw } from '../support/raw.js'
import { fillRegisters } from '../support/registered.js'
import { freshStore } from '../support/servers.js'

const first = 22_431_083, height = 22_431_084
const batch: BatchRef = { chain: 'ETH', from: first, to: height, hash: 'x', generation: 1, floor: first }
const all = [normalizeEthereum, enrichStatements, indexStatements, alertStatements]

describe('an insert whose token is known and whose rows are not there', function () {
  this.timeout(120_000)
  let store: Store
  const mended: unknown[] = []
  const count = async (table: string): Promise<number> => (await store.query(`SELECT count() AS rows FROM ${table}`, {}, z.object({ rows: z.coerce.number() })))[0]?.rows ?? 0
  const lose = (table: string, which = '1'): Promise<number> => store.execute(`DELETE FROM ${table} WHERE ${which}`)
  const run = async (again: boolean, at: Store = store): Promise<void> => {
    const log = { debug: (fields: { statement?: string; lacking?: number }) => { if ((fields.lacking ?? 0) > 0) mended.push(fields.statement) } }
    for (const statements of all) await runStatements(statements, batch, { store: at, chain: { chain: findChain('ETH') }, again, checkpoint: async () => undefined, log } as unknown as Context)
  }
  before(async () => {
    ({ store } = await freshStore())
    await fillRegisters(store)
    await insertRaw(store, [first, height])
    await store.execute(`INSERT INTO alert_thresholds VALUES ('whale_transfer', 'ETH', 1, 'usd', 'medium', 1)`)
    await run(false)
  })

  it('is lost to who only repeats it', async () => {
    const rows = await count('address_transfers')
    await lose('address_transfers')
    await run(false)
    assert.equal(await count('address_transfers'), 0)
    await run(true)
    assert.equal(await count('address_transfers'), rows)
  })

  it('is mended when the stage runs again, in every table', async () => {
    const whole = await stateDigest(store, 'ETH', height)
    // Of a view's table, of one of two statements with a table in common, and of tables that other statements read.
    const lost = [['logs'], ['withdrawals'], ['movements', `kind NOT IN ('internal')`], ['swap_legs'], ['prices', `method = 'peg'`], ['transfers'], ['address_transfers'], ['address_fees'], ['chunks', `topic = 'swap' OR topic = 'block'`], ['token_segments'], ['alerts']] as const
    for (const [table, which] of lost) {
      assert.ok(await count(table) > 0, table)
      await lose(table, which)
    }
    await run(true)
    assert.deepEqual(await stateDigest(store, 'ETH', height), whole)
    assert.ok(mended.includes('decode'))
  })

  it('is mended more than once, and what is there stays as it is', async () => {
    const whole = await stateDigest(store, 'ETH', height)
    await lose('logs')
    await lose('transfers')
    await run(true)
    assert.deepEqual(await stateDigest(store, 'ETH', height), whole)
    mended.length = 0
    await run(true)
    assert.deepEqual([await stateDigest(store, 'ETH', height), mended], [whole, []])
  })

  it('is not written twice where the server cuts its rows into other blocks than before', async () => {
    const tables = ['blocks', 'transactions', 'logs', 'movements', 'swap_legs', 'prices', 'transfers', 'address_transfers', 'address_fees', 'chunks', 'token_segments', 'address_segments', 'alerts']
    const [whole, rows] = [await stateDigest(store, 'ETH', height), await Promise.all(tables.map(count))]
    await run(true, { ...store, execute: (sql, params, settings) => store.execute(sql, params, { ...settings, max_block_size: 3 }) })
    assert.deepEqual(await Promise.all(tables.map(count)), rows)
    assert.deepEqual(await stateDigest(store, 'ETH', height), whole)
  })

  it('neither stops the plan, nor a landing, nor a rollback', async () => {
    const ledger = openLedger(store)
    const piece = { from: 1, to: 9, hash: '0x9', parentHash: '', target: 't', floor: 0 }
    await ledger.plan('BTC', { seq: 0, generation: 0 }, [piece])
    await lose('plans', `chain = 'BTC'`)
    const [planned] = await ledger.plan('BTC', { seq: 0, generation: 0 }, [piece]) ?? []
    assert.ok(planned, 'nobody could plan any more')
    assert.equal(await ledger.plan('BTC', { seq: 0, generation: 0 }, [piece]), null)
    await ledger.land(planned, 'ingest', { rows: 1, bytes: 1, endpoint: '' }, 1)
    await lose('batches', `chain = 'BTC'`)
    await ledger.land(planned, 'ingest', { rows: 1, bytes: 1, endpoint: '' }, 1)
    await ledger.land(planned, 'ingest', { rows: 1, bytes: 1, endpoint: '' }, 1)
    assert.deepEqual([await ledger.landed(planned), await count('batches')], [new Set(['ingest']), 1])
    const module = { chain: findChain('ETH') } as ChainModule
    const rollback = { seq: 7, from_block: height + 1, generation: 2 }
    await applyRollback(store, module, rollback, { always: true })
    await lose('rollbacks_applied', 'epoch > 0')
    await applyRollback(store, module, rollback, { always: true })
    assert.equal(await count(`rollbacks_applied WHERE epoch > 0`), 1)
  })

  it('keeps no chain from being followed', async () => {
    const ledger = openLedger(store), log = pino({ level: 'silent' })
    const want = async (): Promise<boolean> => wantFollow(ledger, log, 'BTC', await ledger.targets('BTC'), 5, 9)
    assert.equal(await want(), true)
    await lose('targets', `chain = 'BTC'`)
    assert.equal(await want(), true)
    assert.deepEqual((await ledger.targets('BTC')).map(({ id, from_block: from }) => [id, from]), [['follow', 5]])
    assert.equal(await want(), false)
  })

  it('keeps nobody from taking an order back', async () => {
    const ledger = openLedger(store), target = { id: 'backfill-1-2', from: 1, to: 2, by: 'test' }
    const ids = async (): Promise<string[]> => (await ledger.targets('ETH')).map(({ id }) => id)
    await ledger.addTarget('ETH', { ...target, kind: 'backfill' })
    for (const time of [1, 2]) {
      assert.deepEqual(await ids(), [target.id])
      await writeTarget(store, 'ETH', { ...target, kind: 'withdrawn' })
      assert.deepEqual(await ids(), [])
      if (time === 1) await lose('targets', `kind = 'withdrawn'`)
    }
    assert.equal(await count(`targets WHERE chain = 'ETH'`), 2)
  })
})
