/** Blocks that stand below a request are ground for it from its first batch on, whenever it is made. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { openLedger } from '../../stages/ledger/ledger.js'
import type { BlockHead } from '../../stages/stage.js'
import { openPlanner } from '../support/planner.js'
import { freshStore } from '../support/servers.js'

const hashOf = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`
const headOf = (number: number): BlockHead => ({ number, hash: hashOf(number), parentHash: hashOf(number - 1), time: 1_700_000_000 + number })
const top = 24

describe('a request above blocks that are there', function () {
  this.timeout(60_000)
  const node = { head: async () => ({ ...headOf(top), finalized: 0, endpoint: 'made' }), header: async (number: number) => headOf(number) }
  const floorsOf = (store: Store, from: number): Promise<number[]> =>
    store.query('SELECT DISTINCT floor FROM live_batches WHERE from_block >= {from:UInt64} ORDER BY floor', { from }, z.object({ floor: z.coerce.number() })).then((rows) => rows.map(({ floor }) => floor))
  const order = (store: Store, from: number, to: number): Promise<void> => openLedger(store).addTarget('ETH', { id: `backfill-${from}-${to}`, kind: 'backfill', from, to, by: 'test' })
  const land = (store: Store, to: number): Promise<unknown> =>
    store.execute(`INSERT INTO batches SELECT 'ETH', arrayJoin(['ingest', 'normalize', 'enrich', 'index', 'alert']), from_block, to_block, hash, generation, 1, 1, 1, '', now64(3) FROM live_batches WHERE to_block <= {to:UInt64}`, { to })

  it('looks down to where they begin, though the planner has just looked', async () => {
    const { store } = await freshStore(), planner = await openPlanner(store, node, { startBlock: undefined })
    try {
      await order(store, 1, 4)
      await planner.tick()
      await land(store, 4)
      await order(store, 5, 8)
      planner.readAgain()
      await new Promise((resolve) => { setTimeout(resolve, 510) })
      await planner.tick()
      assert.deepEqual(await floorsOf(store, 5).then((floors) => floors.filter((floor) => floor < top)), [1])
    } finally { await planner.stop() }
  })

  it('does where it is the first wish to follow the chain', async () => {
    const { store } = await freshStore()
    await order(store, 1, top - 1)
    const ledger = openLedger(store)
    await ledger.plan('ETH', await ledger.position('ETH'), [{ from: 1, to: top - 1, hash: hashOf(top - 1), parentHash: '', target: `backfill-1-${top - 1}`, floor: 1 }])
    await land(store, top - 1)
    const planner = await openPlanner(store, node, { startBlock: undefined })
    try {
      await planner.tick()
      assert.deepEqual(await floorsOf(store, top), [1])
    } finally { await planner.stop() }
  })
})
