/** Blocks that are there and of which a stage has not had its turn, far below those that came after them: what is told of their time says so. */
import assert from 'node:assert/strict'
import { seed, seedHead } from './support/seed.js'
import { startService, type Service } from './support/service.js'

describe('blocks that a stage passed over', function () {
  this.timeout(120_000)
  let service: Service
  // Five blocks a minute, each minute whole; ten are of a batch that is not enriched.
  const start = Math.floor(Date.now() / 60_000) * 60_000 - 7_300 * 12_000
  const timeOf = (block: number): string => new Date(start + (block - 1_000) * 12_000).toISOString()
  const land = (stage: string): Promise<unknown> => service.store.execute("INSERT INTO batches SELECT * REPLACE ({stage:String} AS stage) FROM batches AS b WHERE b.from_block = 7900 AND b.stage = 'normalize'", { stage })
  before(async () => {
    service = await startService()
    for (const [first, count] of [[1_000, 6_900], [7_900, 10], [7_910, 390]] as const) await seed(service.store, first, count, new Date(timeOf(first)))
    await seedHead(service.store, 8_299)
    await service.store.execute("DELETE FROM batches WHERE from_block = 7900 AND stage IN ('enrich', 'index', 'alert')")
    for (const table of ['transfers', 'swaps', 'chunks']) await service.store.execute(`DELETE FROM ${table} WHERE block_number BETWEEN 7900 AND 7909`)
  })
  after(() => service.stop())
  const get = async (path: string): Promise<any> => { const { status, body, text } = await service.call(`GET ${path}`); assert.equal(status, 200, text); return body }
  const told = async () => {
    // The ledger is looked at once a second.
    await new Promise((resolve) => { setTimeout(resolve, 1_100) })
    const token = `0x${'05'.repeat(20)}`
    const { blocks } = await get(`/v1/feed/recent?limit=20&until=${timeOf(7_912)}`)
    const events = [7_899, 7_900, 7_909, 7_910].map((height) => blocks.find((one: any) => one.block_number === height).event_count)
    const { candles } = await get(`/v1/candles/${token}?interval=1m&limit=5&until=${timeOf(7_910)}`)
    const complete = async (minutes: number): Promise<boolean> => (await get(`/v1/dashboard/swap-pairs?minutes=${minutes}`)).window.indexed.complete
    return {
      events, candles: candles.map(({ state }: any) => state), complete: [await complete(60), await complete(120)],
      previous: [(await get('/v1/feed/trending?hours=1')).previous_indexed, (await get('/v1/feed/trending?hours=3')).previous_indexed], day: (await get(`/v1/tokens/${token}`)).detail.trading_24h.complete,
    }
  }

  it('are not known to have been quiet, nor is a span with them whole', async () => {
    assert.deepEqual(await told(), { events: [2, null, null, 2], candles: ['traded', 'partial', 'partial', 'traded', 'traded'], complete: [true, false], previous: [false, true], day: false })
  })

  it('have their trades once they are enriched, and their events once they are indexed', async () => {
    await land('enrich')
    assert.deepEqual(await told(), { events: [2, null, null, 2], candles: ['traded', 'quiet', 'quiet', 'traded', 'traded'], complete: [true, false], previous: [true, true], day: true })
    await land('index')
    assert.deepEqual(await told(), { events: [2, 0, 0, 2], candles: ['traded', 'quiet', 'quiet', 'traded', 'traded'], complete: [true, true], previous: [true, true], day: true })
  })
})
