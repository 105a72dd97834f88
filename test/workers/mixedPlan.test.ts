/** A plan may come to hold blocks of two branches: a height the node did not have at first is planned while another branch is shown, shorter than what is planned above it. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { BlockHead } from '../../stages/stage.js'
import { openPlanner } from '../support/planner.js'
import { freshStore } from '../support/servers.js'

const hashOf = (branch: string, number: number): string => `0x${Buffer.from(`${number <= 2 ? '' : branch}${number}`).toString('hex').padStart(64, '0')}`
const headOf = (branch: string, number: number): BlockHead => ({ number, hash: hashOf(branch, number), parentHash: hashOf(branch, number - 1), time: 1_700_000_000 + number })

describe('a plan of two branches', function () {
  this.timeout(60_000)

  it('is made whole when the node is back on the first: what does not stand under the rest is rolled back', async () => {
    const { store } = await freshStore()
    let shown = { branch: 'a', top: 6 }, hidden: readonly number[] = [3, 4]
    const planner = await openPlanner(store, {
      head: async () => ({ ...headOf(shown.branch, shown.top), finalized: 0, endpoint: 'made' }),
      header: async (number) => (number > shown.top || hidden.includes(number) ? null : headOf(shown.branch, number)),
    })
    const planned = async (): Promise<string[]> => (await store.query('SELECT hash FROM live_batches ORDER BY from_block', {}, z.object({ hash: z.string() }))).map(({ hash }) => hash)
    const look = async (branch: string, top: number, lacking: readonly number[] = []): Promise<void> => { shown = { branch, top }; hidden = lacking; for (let turn = 0; turn < 3; turn += 1) await planner.tick() }
    try {
      await look('a', 6, [3, 4])
      assert.deepEqual(await planned(), [1, 2, 5, 6].map((number) => hashOf('a', number)), 'what the node lacks is left out')
      await look('b', 4)
      assert.deepEqual(await planned(), [1, 2, 3, 4].map((number) => hashOf('b', number)).concat([5, 6].map((number) => hashOf('a', number))), 'two branches')
      await look('a', 7)
      assert.deepEqual(await planned(), [1, 2, 3, 4, 5, 6, 7].map((number) => hashOf('a', number)))
    } finally { await planner.stop() }
  })
})
