/** A run over the labels whose worker ends in the moment a statement of it is about to be sent. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../../schemas/clickhouse.js'
import { deriveLabels } from '../../stages/index/classes/deriveLabels.js'
import { freshStore } from '../support/servers.js'

const long = 'INSERT INTO label_candidates (version) SELECT 9 FROM numbers(150) WHERE sleepEachRow(0.1) = 0 SETTINGS max_block_size = 1'

describe('a run over the labels whose worker ends', function () {
  this.timeout(60_000)

  it('gives up also a statement that was put off when the worker ended, and reached the server afterwards', async () => {
    const { store } = await freshStore(), ending = new AbortController()
    let ended = 0
    // As a batch that is under way puts it off (givingWay).
    const busy: Store = { ...store, execute: async (sql, params, settings) => {
      if (typeof sql === 'string' || sql.name !== 'contract') return store.execute(sql, params, settings)
      ended = performance.now()
      ending.abort()
      await sleep(500)
      return store.execute(long, params, settings)
    } }
    await assert.rejects(deriveLabels(busy, 'ETH', { ending: ending.signal }), { code: 'WORKER_ENDING' })
    assert.ok(performance.now() - ended < 5_000, 'the worker waits for a statement that nobody needs')
    assert.equal((await deriveLabels(store, 'ETH')).ran, true)
  })

  it('gives it up also where the server did not answer when it was told so first', async () => {
    const { store } = await freshStore(), ending = new AbortController()
    let ended = 0, refused = 0
    const away: Store = {
      ...store,
      execute: (sql, params, settings) => {
        if (typeof sql === 'string' || sql.name !== 'contract') return store.execute(sql, params, settings)
        setTimeout(() => { ended = performance.now(); ending.abort() }, 500)
        return store.execute(long, params, settings)
      },
      over: (token, end, mostMs) => (ended > 0 && (refused += 1) === 1 ? Promise.reject(new Error('socket hang up')) : store.over(token, end, mostMs)),
    }
    await assert.rejects(deriveLabels(away, 'ETH', { ending: ending.signal }), { code: 'WORKER_ENDING' })
    assert.ok(performance.now() - ended < 5_000, 'the worker waits for a statement that nobody needs')
    assert.equal((await deriveLabels(store, 'ETH')).ran, true)
  })
})
