/** That no leader opened a position is an answer only where somebody led and the stage alert has looked. */
import assert from 'node:assert/strict'
import { at } from '../enrich/handmade.js'
import { seed, seedHead } from './support/seed.js'
import { startService, type Service } from './support/service.js'

const gap = { is_successful_empty: false, empty_reason: 'data_gap' }
const stale = { is_successful_empty: false, empty_reason: 'stale_pipeline' }
const nothing = { is_successful_empty: true, empty_reason: 'no_signal' }

describe('silence of what leaders open', function () {
  this.timeout(90_000)
  let service: Service
  before(async () => {
    service = await startService()
    await seed(service.store, 1_000, 700)
    await seedHead(service.store, 1_699)
  })
  after(() => service.stop())
  const told = async (): Promise<unknown[]> => {
    // The ledger is looked at once a second.
    await new Promise((resolve) => { setTimeout(resolve, 1_100) })
    return Promise.all(['ETH', 'ALL'].map(async (chain) => { const { body } = await service.call(`GET /v1/smart-money/alerts?chain=${chain}`); assert.deepEqual(body.alerts, []); return body._meta.empty }))
  }
  const land = (asOf: number, inForceFrom: number) => service.store.execute("INSERT INTO leader_runs SELECT 'ETH', 'smart_trader', 2, {asOf:UInt64}, now64(3), {inForceFrom:UInt64}, now64(3)", { asOf, inForceFrom })
  const lead = (asOf: number, inForceFrom: number) => service.store.execute("INSERT INTO leaders SELECT 'ETH', 'smart_trader', 2, {asOf:UInt64}, {inForceFrom:UInt64}, 30, unhex({account:String}), 1, 100", { asOf, inForceFrom, account: at('aa01').slice(2) })
  const order = (name: string, state: string): Promise<void> => service.store.insert('controls', [{ name, state, reason: '', changed_by: 'test', changed_at: new Date().toISOString() }])

  it('is none while nobody leads: without a run, with one that found nobody, one that has not landed and one that is not in force yet', async () => {
    assert.deepEqual(await told(), [gap, gap])
    await land(1_100, 1_400)
    assert.deepEqual(await told(), [gap, gap])
    await lead(1_200, 1_500)
    assert.deepEqual(await told(), [gap, gap])
    await lead(1_300, 1_700)
    await land(1_300, 1_700)
    assert.deepEqual(await told(), [gap, gap])
  })

  it('is an answer where somebody leads and all that has come was looked at', async () => {
    await land(1_200, 1_500)
    assert.deepEqual(await told(), [nothing, nothing])
  })

  it('is none while the stage alert is paused, or has not had its turn', async () => {
    await order('stage:alert', 'paused')
    assert.deepEqual(await told(), [stale, stale])
    await order('stage:alert', 'running')
    assert.deepEqual(await told(), [nothing, nothing])
    await seed(service.store, 1_700, 3, new Date(Date.now() - 12_000))
    await seedHead(service.store, 1_702)
    await service.store.execute("DELETE FROM batches WHERE from_block = 1700 AND stage = 'alert'")
    assert.deepEqual(await told(), [gap, gap])
  })
})
