/** Blocks that go together while alerts are paused: what moves below the tip is planned all the same, for enrich goes over no hole. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { BlockHead } from '../../stages/stage.js'
import { openPlanner } from '../support/planner.js'
import { freshStore } from '../support/servers.js'

const hashOf = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`
const headOf = (number: number): BlockHead => ({ number, hash: hashOf(number), parentHash: hashOf(number - 1), time: 1_700_000_000 + number })
const Covered = z.object({ low: z.coerce.number(), high: z.coerce.number(), blocks: z.coerce.number() })

describe('what goes together while alerts are paused', function () {
  this.timeout(120_000)

  it('is planned without a hole, however long that is', async () => {
    const { store } = await freshStore()
    let top = 5
    const planner = await openPlanner(store, { head: async () => ({ ...headOf(top), finalized: 0, endpoint: 'made' }), header: async (number) => (number > top ? null : headOf(number)) }, { together: { everyMs: 0 } })
    try {
      for (; top < 400; top += 30) {
        for (let look = 0; look < 3; look += 1) {
          await planner.tick()
          for (const stage of ['ingest', 'normalize', 'enrich', 'index']) {
            await store.execute(`INSERT INTO batches SELECT 'ETH', {stage:String}, from_block, to_block, hash, generation, 1, 1, 1, '', now64(3) FROM live_batches AS l
              WHERE (l.from_block, l.generation) NOT IN (SELECT b.from_block, b.generation FROM batches AS b WHERE b.stage = {stage:String})`, { stage })
          }
          await new Promise((resolve) => { setTimeout(resolve, 510) })
        }
      }
      const [covered] = await store.query('SELECT min(from_block) AS low, max(to_block) AS high, sum(to_block - from_block + 1) AS blocks FROM live_batches', {}, Covered)
      assert.ok(covered !== undefined && covered.high > 350)
      assert.equal(covered.blocks, covered.high - covered.low + 1, JSON.stringify(covered))
    } finally { await planner.stop() }
  })
})
