/** What is read of the labels in memory once for each time they are loaded. */
import assert from 'node:assert/strict'
import { keptOfLabels } from '../../api/labelsLoaded.js'
import type { Ask } from '../../api/operation.js'
import { reloadLabels } from '../../stages/enrich/registers/loadRegisters.js'
import { startService } from './support/service.js'

describe('the labels in memory', function () {
  this.timeout(60_000)

  it('are read once for each load, and for nobody else in the second of one', async () => {
    let state = { loaded: 0, now: 100 }, reads = 0
    const ask = { services: { coverage: {} }, store: { query: () => Promise.resolve([state]) }, signal: new AbortController().signal } as unknown as Ask
    const read = async (): Promise<number> => (await keptOfLabels(ask)).once('x', () => Promise.resolve(++reads))
    assert.deepEqual([await read(), await read()], [1, 2], 'not in memory yet')
    state = { loaded: 101, now: 102 }
    assert.deepEqual([await read(), await read()], [3, 4], 'another load may end in the same second')
    state = { loaded: 101, now: 103 }
    assert.deepEqual([await read(), await read()], [5, 5])
    state = { loaded: 104, now: 104 }
    assert.deepEqual([await read(), await read()], [6, 7])
    state = { loaded: 104, now: 110 }
    assert.deepEqual([await read(), await read()], [8, 8])
  })

  it('of a server say when they were loaded, and a new load is seen at once', async () => {
    const service = await startService()
    try {
      const { parts: { store, services } } = service.api
      const ask = { store, services, signal: new AbortController().signal } as unknown as Ask
      await reloadLabels(service.store)
      await service.store.execute('SELECT sleep(2.1)', {}, { function_sleep_max_microseconds_per_block: 3_000_000 })
      const kept = await keptOfLabels(ask)
      assert.equal(await keptOfLabels(ask), kept)
      await reloadLabels(service.store)
      assert.notEqual(await keptOfLabels(ask), kept)
    } finally { await service.stop() }
  })
})
