import assert from 'node:assert/strict'
import { openPipelineControl } from '../../workers/control.js'
import { readControls } from '../../workers/controls.js'
import { openLedger } from '../../stages/ledger/ledger.js'
import { bury } from '../../workers/deadLetters.js'
import { closeIncident, openIncident } from '../../workers/incidents.js'
import { z } from 'zod'
import { freshStore, randomName, redisUrl } from '../support/servers.js'

describe('what a machine whose clock is an hour ahead wrote down', function () {
  this.timeout(60_000)

  it('is over with the next order, redrive or answer, and begins anew with the next failure', async () => {
    const { store } = await freshStore()
    const control = openPipelineControl(store, await redisUrl(), randomName('q'))
    const shift = (table: string, column: string) => store.execute(`INSERT INTO ${table} SELECT * REPLACE (${column} + INTERVAL 1 HOUR AS ${column}) FROM ${table} FINAL`)
    try {
      await control.set('paused', 'somebody')
      await control.setStage('index', true, 'somebody')
      await shift('controls', 'changed_at')
      await control.set('running', 'somebody')
      await control.setStage('index', false, 'somebody')
      const { pipeline, pausedStages } = await readControls(store)
      assert.deepEqual([pipeline, [...pausedStages]], ['running', []])

      const stretch = { chain: 'ETH', from: 10, to: 19, hash: '', generation: 0, floor: 10 }
      await openLedger(store).addTarget('ETH', { id: 'backfill-10-19', kind: 'backfill', from: 10, to: 19, by: 'test' })
      const letters = async (): Promise<number> => (await control.deadLetters(10)).count
      await bury(store, 'ingest', stretch, 8, new Error('nobody has it'))
      await shift('dead_letters', 'at')
      assert.equal(await control.redrive(null, 'test'), 1)
      assert.equal(await letters(), 0, 'redriven')
      await bury(store, 'ingest', stretch, 8, new Error('nor now'))
      assert.equal(await letters(), 1, 'in vain')

      const incident = { id: 'head|ETH', chain: 'ETH', kind: 'no_head', severity: 'critical', summary: 'no head' } as const
      const told = async () => (await store.query('SELECT opened_at, closed_at FROM incidents FINAL', {}, z.object({ opened_at: z.string(), closed_at: z.string().nullable() })))[0]
      await openIncident(store, incident)
      await shift('incidents', 'at')
      const first = await told()
      await openIncident(store, incident)
      assert.deepEqual(await told(), first, 'told again by another worker, it is as old as it was')
      await closeIncident(store, incident.id)
      assert.ok((await told())?.closed_at != null, 'closed')
      await openIncident(store, incident)
      const again = await told()
      assert.ok(again?.closed_at === null && again.opened_at > (first?.opened_at ?? ''), 'opened anew')
    } finally { await control.close() }
  })
})

describe('a halted chain', function () {
  this.timeout(60_000)

  it('stays halted until an operator lets the pipeline go on, which closes its incident', async () => {
    const { store } = await freshStore()
    const control = openPipelineControl(store, await redisUrl(), randomName('q'))
    try {
      await store.insert('controls', [{ name: 'chain:ETH', state: 'halted', reason: 'too deep', changed_by: 'planner', changed_at: new Date().toISOString() }])
      await openIncident(store, { id: 'deep_reorg|ETH', chain: 'ETH', kind: 'deep_reorg', severity: 'critical', summary: 'ETH stands still' })
      await control.set('paused', 'somebody')
      assert.deepEqual([...(await readControls(store)).halted], [['ETH', 'too deep']])
      await control.set('running', 'somebody')
      assert.equal((await readControls(store)).halted.size, 0)
      const open = await store.query('SELECT id FROM incidents FINAL WHERE closed_at IS NULL', {}, z.object({ id: z.string() }))
      assert.deepEqual(open, [])
    } finally {
      await control.close()
    }
  })
})
