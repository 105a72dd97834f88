import assert from 'node:assert/strict'
import { z } from 'zod'
import { unavailable } from '../../schemas/errors.js'
import type { BlockHead } from '../../stages/stage.js'
import { openPlanner } from '../support/planner.js'
import { freshStore } from '../support/servers.js'

const hashOf = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`
const headOf = (number: number): BlockHead => ({ number, hash: hashOf(number), parentHash: hashOf(number - 1), time: 1_700_000_000 + number })

describe('a head of the node', function () {
  this.timeout(60_000)

  it('that could not be written down is written at the next look, and once', async () => {
    const { store } = await freshStore()
    let away = true
    const planner = await openPlanner({
      ...store, insert: (table, rows, token) => (table === 'heads' && away ? Promise.reject(unavailable('ClickHouse', new Error('refused'))) : store.insert(table, rows, token)),
    }, { head: async () => ({ ...headOf(3), finalized: 0, endpoint: 'made' }), header: async (number) => headOf(number) })
    const heads = () => store.query('SELECT number FROM heads', {}, z.object({ number: z.coerce.number() }))
    try {
      await assert.rejects(planner.tick(), /ClickHouse/)
      away = false
      for (let turn = 0; turn < 3; turn += 1) await planner.tick()
      assert.deepEqual(await heads(), [{ number: 3 }])
    } finally { await planner.stop() }
  })
})
