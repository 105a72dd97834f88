/** Sanctions lists that a process holds are as old as they are, also where its clock is set back meanwhile. */
import assert from 'node:assert/strict'
import type { Store } from '../../schemas/clickhouse.js'
import { listViews, refresh } from '../../api/operations/forensic/sanctionsLists.js'

describe('sanctions lists that are held', () => {
  it('are asked for anew after their time, also where the clock is set back', async () => {
    const clock = Date.now, { milliseconds } = refresh
    let asked = 0
    const store = { client: {}, query: async () => { asked += 1; return [] } } as unknown as Store
    refresh.milliseconds = 600_000
    try {
      await listViews(store)
      const before = asked
      await listViews(store)
      assert.equal(asked, before)
      refresh.milliseconds = 100
      Date.now = () => clock() - 3_600_000
      await new Promise((resolve) => { setTimeout(resolve, 150) })
      await listViews(store)
      assert.ok(asked > before)
    } finally { Date.now = clock; refresh.milliseconds = milliseconds }
  })
})
