import assert from 'node:assert/strict'
import { openPipelineControl } from '../../workers/control.js'
import { readControls } from '../../workers/controls.js'
import { openIncident } from '../../workers/incidents.js'
import { z } from 'zod'
import { freshStore, randomName, redisUrl } from '../support/servers.js'

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
