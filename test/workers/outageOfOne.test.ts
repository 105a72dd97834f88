/** Two workers that watch the same thing: one may fail alone, and die of it. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { watchOutage } from '../../workers/outage.js'
import { until } from '../support/pipeline.js'
import { freshStore } from '../support/servers.js'

const againMs = 200

describe('an outage that one worker of two has', function () {
  this.timeout(60_000)
  let store: Store
  before(async () => { ({ store } = await freshStore()) })
  const watch = (id: string) => watchOutage(store, { id, chain: 'ETH', kind: 'no_head', severity: 'critical', summary: 'ETH: no head' }, 0, againMs)
  const isOpen = async (id: string): Promise<boolean> => (await store.query('SELECT closed_at IS NULL AS open FROM incidents FINAL WHERE id = {id:String}', { id }, z.object({ open: z.coerce.boolean() })))[0]?.open ?? false
  /** `step` again and again, for longer than what is not said any more is believed. */
  const forLong = async (step: () => Promise<void>): Promise<void> => { for (const end = performance.now() + 5 * againMs; performance.now() < end; await sleep(20)) await step() }

  it('stays told while that worker lives, and is over when it has an answer', async () => {
    const [one, other] = [watch('lives'), watch('lives')]
    await other.good()
    // A worker that was not heard of for as long is taken for dead, and rightly: where this machine was as slow, it is tried again.
    let silent = Infinity
    for (let rounds = 0; silent > againMs; rounds += 1) {
      assert.ok(rounds < 20, 'this machine is too slow to be heard in time')
      silent = 0
      let heard = performance.now()
      await one.bad('refused')
      await forLong(async () => { await other.good(); await one.bad('refused'); silent = Math.max(silent, performance.now() - heard); heard = performance.now() })
    }
    assert.equal(await isOpen('lives'), true)
    await one.good()
    assert.equal(await isOpen('lives'), false)
  })

  it('is over a while after that worker died', async () => {
    const [one, other] = [watch('dies'), watch('dies')]
    await other.good()
    await one.bad('refused')
    await until(async () => { await other.good(); return !(await isOpen('dies')) }, 'it is never over')
  })

  it('is told again when a worker that began took it for a dead one\'s', async () => {
    const one = watch('begins')
    await one.bad('refused')
    await watch('begins').good()
    assert.equal(await isOpen('begins'), false)
    await forLong(() => one.bad('refused'))
    assert.equal(await isOpen('begins'), true)
  })
})
