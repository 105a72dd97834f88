/** The venue through the whole pipeline: what the replayed venue says, through five stages; the same state when it is worked out anew from what was stored. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { recordedAccounts } from '../../../scripts/replay-node/hyperliquid/recorded.js'
import { startVenue, type Venue } from '../../../scripts/replay-node/hyperliquid/server.js'
import { openCoverage } from '../../../api/coverage.js'
import { newestBlock, stateDigest } from '../../../stages/digest/digest.js'
import { openPipelineControl } from '../../../workers/control.js'
import { digest } from '../../support/hyperliquid.js'
import { pipelineEnvironment, startPipeline, until, type Pipeline } from '../../support/pipeline.js'
import { freshStore } from '../../support/servers.js'

const Count = z.object({ count: z.coerce.number() })

describe('Hyperliquid through the pipeline', function () {
  this.timeout(120_000)
  let venue: Venue, pipeline: Pipeline, environment: Record<string, string>
  before(async () => {
    venue = await startVenue()
    environment = await pipelineEnvironment({ HL_API_URL: venue.url, HL_SEGMENT_MS: '300', HL_ACCOUNTS: recordedAccounts().join(','), HL_BOOK_COINS: 'DYDX,BTC' })
    pipeline = await startPipeline(environment)
  })
  after(async () => { await pipeline.stop(); await venue.close() })
  const count = async (sql: string): Promise<number> => (await pipeline.store.query(`SELECT count() AS count FROM ${sql}`, {}, Count))[0]?.count ?? 0

  it('brings fills, funding, books, prices and coins to their tables, each once', async () => {
    await until(async () => await count('hl_fills') >= 500 && await count('hl_funding_payments') > 0 && await count('hl_books') > 0 && await count('hl_mids') > 0 && await count('hl_funding_rates') > 0 && await count('hl_coins') > 0, 'rows are missing', 90)
    const fills = await count('hl_fills')
    venue.cut()
    await until(async () => await count(`raw_payloads WHERE kind = 'info' AND JSONExtractString(receipts, 'type') = 'userFillsByTime'`) > 0, 'it did not come back')
    assert.equal(await count('hl_fills'), fills)
    assert.deepEqual([await count('hl_unknown'), await count('(SELECT 1 FROM hl_fills GROUP BY time, coin, tid, extra, account HAVING count() > 1)')], [0, 0])
  })

  it('what waits while a stage stands still goes on as few batches, with nothing lost', async () => {
    const control = openPipelineControl(pipeline.store, environment['REDIS_URL'] ?? '', environment['QUEUE_PREFIX'] ?? '')
    try {
      const newest = async (): Promise<number> => (await pipeline.store.query("SELECT max(number) AS count FROM raw_payloads WHERE chain = 'HL'", {}, Count))[0]?.count ?? 0
      // What is heard meanwhile moves the tip on: what was there is to be through.
      const tip = await newest()
      await until(async () => (await newestBlock(pipeline.store, 'HL') ?? 0) >= tip, 'the tip was not reached', 60)
      await control.setStage('enrich', true, 'test')
      await until(() => pipeline.running.parts.queues.enrich.isPaused(), 'it was not paused')
      const before = await newest()
      await until(async () => { venue.cut(); return await newest() >= before + 8 }, 'the venue said nothing more', 60)
      const planned = await count(`live_batches WHERE chain = 'HL' AND to_block > ${before}`)
      assert.ok(planned <= 3, `${planned} batches were planned behind a stage that stands still`)
      await control.setStage('enrich', false, 'test')
      await until(async () => (await newestBlock(pipeline.store, 'HL') ?? 0) >= before + 8, 'it did not go on', 60)
      assert.ok(await count(`live_batches WHERE chain = 'HL' AND from_block > ${before} AND to_block > from_block`) > 0)
    } finally { await control.close() }
  })

  it('counts as old what was recorded, however late it is heard', async () => {
    const coverage = openCoverage(pipeline.store)
    const { tier, data_fresh: fresh, warnings: [warning = ''] } = await coverage.status('HL')
    assert.deepEqual([tier, fresh, await coverage.silence('HL', 'perps')], ['perps-only', false, 'stale_pipeline'])
    assert.match(warning, /^The newest perps data are \d{3,4} days old$/)
  })

  it('leads to the same state when it is worked out anew', async () => {
    await until(async () => await newestBlock(pipeline.store, 'HL') !== null, 'no segment went through')
    const height = await newestBlock(pipeline.store, 'HL') ?? 0
    const other = (await freshStore()).store
    // Both databases are on one server.
    const [named] = await pipeline.store.query('SELECT currentDatabase() AS name', {}, z.object({ name: z.string() }))
    await other.execute('INSERT INTO raw_payloads SELECT * FROM {from:Identifier}.raw_payloads WHERE number <= {height:UInt64}', { from: named?.name ?? '', height })
    for (let segment = 1; segment <= height; segment += 1) await digest(other, segment, segment)
    const [told, again] = [await stateDigest(pipeline.store, 'HL', height), await stateDigest(other, 'HL', height)]
    assert.deepEqual(again.parts.filter(({ table }) => table.startsWith('hl_')), told.parts.filter(({ table }) => table.startsWith('hl_')))
  })
})
