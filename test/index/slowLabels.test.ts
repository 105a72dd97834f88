/** Runs of the rules whose statements take longer than an answer is waited for. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { openStore, type Store } from '../../schemas/clickhouse.js'
import { deriveLabels } from '../../stages/index/classes/deriveLabels.js'
import { until } from '../support/pipeline.js'
import { freshStore } from '../support/servers.js'

/** Milliseconds an answer is waited for here, and in use. */
const answerMs = 5_000, usualMs = 300_000
/** `halfSeconds` of a rule that finds `label` at an address at the end. */
const slowly = (halfSeconds: number, label: string): string => `INSERT INTO label_candidates (version, chain, address, label, category, rule, rule_version, level, evidence_rows)
  SELECT {version:UInt64}, {chain:String}, concat('0x', repeat('5a', 20)), '${label}', 'dex', 'dex_pool', 1, 'ledger_immanent', 1 + sum(sleepEachRow(0.5)) FROM numbers(${halfSeconds})`
/** The store, but the rule dex_pool is `text`, and the time between two signs of life is to the time an answer is waited for as it is in use. */
const slowed = (store: Store, text: string): Store => ({ ...store, execute: (sql, params, settings = {}, isHeld = undefined) => {
  const each = settings['http_headers_progress_interval_ms'], scaled = each === undefined ? settings : { ...settings, http_headers_progress_interval_ms: Math.round(Number(each) * answerMs / usualMs) }
  return store.execute(typeof sql !== 'string' && sql.name.includes('dex_pool') ? { ...sql, text } : sql, params, { ...scaled, max_block_size: 1 }, isHeld)
} })
const labels = (store: Store) => store.query("SELECT label FROM derived_labels WHERE rule = 'dex_pool'", {}, z.object({ label: z.string() }))
const running = async (store: Store): Promise<number> => (await store.query("SELECT toFloat64(count()) AS count FROM system.processes WHERE current_database = currentDatabase() AND query LIKE 'INSERT INTO label_candidates%sleepEachRow%'", {}, z.object({ count: z.number() })))[0]?.count ?? -1

describe('slow runs of the rules', function () {
  this.timeout(120_000)

  it('a rule that takes longer than an answer is waited for is waited for', async () => {
    const { store, url, database } = await freshStore(), impatient = openStore(url, database, { answerMs })
    try {
      assert.equal((await deriveLabels(slowed(impatient, slowly(14, 'slow pool')), 'ETH', { always: true })).ran, true)
      assert.deepEqual(await labels(store), [{ label: 'slow pool' }])
    } finally { await impatient.close() }
  })

  it('what goes on in the server after its run gave it up writes nothing beside the next one', async () => {
    const { store, url, database } = await freshStore(), impatient = openStore(url, database, { answerMs })
    const dead: Store = { ...impatient, execute: (sql, params, { send_progress_in_http_headers: _, ...settings } = {}, isHeld = undefined) => impatient.execute(sql, params, settings, isHeld) }
    try {
      await assert.rejects(deriveLabels(slowed(dead, slowly(100, 'given up')), 'ETH', { always: true }))
      assert.equal(await running(store), 0, 'who gives up ends it')
      // One whose process died in the middle ends nothing itself.
      const lost: Store = { ...dead, over: async () => { throw new Error('the process died') }, insert: async () => { throw new Error('the process died') } }
      await assert.rejects(deriveLabels(slowed({ ...lost, over: async (token, end) => { if (token === 'labels|1') await impatient.over(token, end); else throw new Error('the process died') } }, slowly(100, 'of the dead')), 'ETH', { always: true }))
      assert.equal(await running(store), 1)
      await store.execute("ALTER TABLE label_runs UPDATE at = toDateTime64('2020-01-01 00:00:00', 3, 'UTC') WHERE 1 SETTINGS mutations_sync = 1")
      assert.equal((await deriveLabels(slowed(store, slowly(1, 'found')), 'ETH', { always: true })).version, 1)
      await until(async () => await running(store) === 0, 'what the dead run began is over')
      assert.deepEqual(await labels(store), [{ label: 'found' }])
    } finally { await impatient.close() }
  })

  it('a run of many slow rules is alive as long as it goes on, and another does not take over', async () => {
    const { store } = await freshStore()
    let aged = 0
    // Before each rule twenty minutes pass: what was written is that much older then.
    const old: Store = { ...store, execute: async (sql, params, settings, isHeld) => {
      if (typeof sql !== 'string' && /exchange_|mev_bot/.test(sql.name)) {
        aged += 1
        await store.execute('ALTER TABLE label_runs UPDATE at = at - INTERVAL 20 MINUTE WHERE 1 SETTINGS mutations_sync = 1')
        await assert.rejects(deriveLabels(store, 'ETH', { always: true }), { code: 'LABELS_BUSY' })
      }
      return store.execute(sql, params, settings, isHeld)
    } }
    assert.equal((await deriveLabels(old, 'ETH', { always: true })).ran, true)
    assert.equal(aged, 4)
  })
})
