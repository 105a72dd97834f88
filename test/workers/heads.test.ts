import assert from 'node:assert/strict'
import { z } from 'zod'
import { unavailable } from '../../schemas/errors.js'
import type { BlockHead } from '../../stages/stage.js'
import { openPlanner } from '../support/planner.js'
import { freshStore } from '../support/servers.js'

const hashOf = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`
const headOf = (number: number): BlockHead => ({ number, hash: hashOf(number), parentHash: hashOf(Math.max(0, number - 1)), time: 1_700_000_000 + number })

describe('a head of the node', function () {
  this.timeout(60_000)

  it('is the newest one, whatever a clock said when one before was seen', async () => {
    const { store } = await freshStore()
    await store.insert('heads', [{ chain: 'ETH', number: 9, hash: hashOf(9), block_time: new Date().toISOString(), finalized: 9, endpoint: 'made', observed_at: new Date(Date.now() + 3_600_000).toISOString() }])
    let top = 2
    const planner = await openPlanner(store, { head: async () => ({ ...headOf(top += 1), finalized: 0, endpoint: 'made' }), header: async (number) => headOf(number) })
    try {
      for (let turn = 0; turn < 3; turn += 1) await planner.tick()
      assert.deepEqual(await store.query('SELECT number, hash, block_time, finalized, endpoint FROM heads ORDER BY observed_at DESC LIMIT 1', {}, z.looseObject({ number: z.coerce.number() })),
        [{ number: 5, hash: hashOf(5), block_time: new Date(headOf(5).time * 1_000).toISOString(), finalized: '0', endpoint: 'made' }])
    } finally { await planner.stop() }
  })

  it('that could not be written down is written at the next look, and once', async () => {
    const { store } = await freshStore()
    let away = true
    const planner = await openPlanner({
      ...store, execute: (sql, ...rest) => (typeof sql !== 'string' && sql.name === 'observe_head' && away ? Promise.reject(unavailable('ClickHouse', new Error('refused'))) : store.execute(sql, ...rest)),
    }, { head: async () => ({ ...headOf(3), finalized: 0, endpoint: 'made' }), header: async (number) => headOf(number) })
    const heads = () => store.query('SELECT number FROM heads', {}, z.object({ number: z.coerce.number() }))
    try {
      await assert.rejects(planner.tick(), /ClickHouse/)
      away = false
      for (let turn = 0; turn < 3; turn += 1) await planner.tick()
      assert.deepEqual(await heads(), [{ number: 3 }])
    } finally { await planner.stop() }
  })

  it('stays the newest of its chain however long ago it was seen; of older ones a week is kept', async () => {
    const { store } = await freshStore()
    const day = 86_400_000, now = Date.now()
    const row = (chain: string, number: number, days: number) => ({ chain, number, hash: hashOf(number), block_time: new Date(now - days * day).toISOString(), finalized: number, endpoint: `node ${number}`, observed_at: new Date(now - days * day).toISOString() })
    await store.insert('heads', [row('HL', 70, 90), row('HL', 72, 70), row('HL', 71, 80), row('ETH', 5, 30), row('ETH', 9, 1)])
    await store.insert('heads', [row('HL', 60, 100), row('HL', 61, 99), row('ETH', 8, 2), row('ETH', 4, 31)])
    for (const _ of [1, 2]) await store.execute('OPTIMIZE TABLE heads FINAL')
    const kept = z.object({ chain: z.string(), number: z.coerce.number(), hash: z.string(), finalized: z.coerce.number(), endpoint: z.string(), same: z.coerce.boolean(), observed_at: z.string() })
    assert.deepEqual(await store.query('SELECT chain, number, hash, finalized, endpoint, block_time = h.observed_at AS same, observed_at FROM heads AS h ORDER BY chain, observed_at DESC', {}, kept),
      [row('ETH', 9, 1), row('ETH', 8, 2), row('ETH', 5, 30), row('HL', 72, 70)].map(({ block_time: _, ...one }) => ({ ...one, same: true })))
  })

  it('of a chain shorter than its finality has all blocks planned from the first on, block zero too', async () => {
    for (const [together, batches] of [[{}, [[0, 0], [1, 1], [2, 2], [3, 3]]], [{ together: { everyMs: 0 } }, [[0, 3]]]] as const) {
      const { store } = await freshStore()
      const planner = await openPlanner(store, { head: async () => ({ ...headOf(3), finalized: 0, endpoint: 'made' }), header: async (number) => headOf(number) }, { startBlock: 0, ...together })
      try {
        await planner.tick()
        await planner.tick()
        const rows = await store.query('SELECT from_block AS `from`, to_block AS `to` FROM live_batches ORDER BY from_block', {}, z.object({ from: z.coerce.number(), to: z.coerce.number() }))
        assert.deepEqual(rows.map(({ from, to }) => [from, to]), batches)
      } finally { await planner.stop() }
    }
  })
})
