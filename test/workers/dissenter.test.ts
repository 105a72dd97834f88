/** An endpoint that stands on another branch than the others agree on is not followed, wherever it is listed. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { openSource, type Answers, type Asked } from '../../stages/ingest/source.js'
import type { BlockHead } from '../../stages/stage.js'
import { openPlanner } from '../support/planner.js'
import { freshStore } from '../support/servers.js'

const hashOf = (branch: string, number: number): string => `0x${Buffer.from(`${number <= 3 ? '' : branch}${number}`).toString('hex').padStart(64, '0')}`
const headOf = (branch: string, number: number): BlockHead => ({ number, hash: hashOf(branch, number), parentHash: hashOf(branch, number - 1), time: 1_700_000_000 + number })

describe('an endpoint on a branch of its own', function () {
  this.timeout(30_000)
  it('is not asked for what lies below the head of the others, though it is listed first', async () => {
    const { store } = await freshStore()
    let top = 5, branch = 'a'
    const endpoint = (name: string): Asked<Answers> => {
      const own = (): string => (name === 'first' ? branch : 'a')
      return { name, latest: () => Promise.resolve(headOf(own(), top)), at: (number) => Promise.resolve(number > top ? null : headOf(own(), number)), check: () => Promise.resolve(), fetch: () => Promise.reject(new Error('not here')), busy: () => 0, close: () => Promise.resolve() }
    }
    const source = openSource({ asked: ['first', 'second', 'third'].map(endpoint), finality: 16, lanes: 1, land: () => Promise.resolve(null) })
    const planner = await openPlanner(store, source)
    const planned = async (): Promise<string[]> => (await store.query('SELECT hash FROM live_batches ORDER BY from_block', {}, z.object({ hash: z.string() }))).map(({ hash }) => Buffer.from(hash.slice(2), 'hex').toString('latin1').replaceAll('\0', ''))
    try {
      for (let look = 0; look < 3; look += 1) await planner.tick()
      // The others have mined two blocks since the last look: the one in between is asked for by its height.
      branch = 'b'
      for (top of [7, 9]) for (let look = 0; look < 3; look += 1) await planner.tick()
      assert.deepEqual(await planned(), ['1', '2', '3', 'a4', 'a5', 'a6', 'a7', 'a8', 'a9'])
      assert.deepEqual(await store.query(`SELECT from_block FROM plans WHERE kind = 'rollback'`, {}, z.unknown()), [])
    } finally { await planner.stop() }
  })
})
