/** A venue's words are not to be had again: they are stored whatever an operator ordered, for nothing of it is lost while it waits. */
import { z } from 'zod'
import { openStore } from '../../../schemas/clickhouse.js'
import { startVenue, type Venue } from '../../../scripts/replay-node/hyperliquid/server.js'
import { writeControl } from '../../../workers/controls.js'
import { ending } from '../../support/endings.js'
import { pipelineEnvironment, startPipeline, until, type Pipeline } from '../../support/pipeline.js'

const Count = z.object({ count: z.coerce.number() })

for (const [name, state] of [['pipeline', 'paused'], ['pipeline', 'stopped'], ['chain:HL', 'halted']] as const) {
  describe(`a worker that starts while ${name} is ${state}`, function () {
    this.timeout(60_000)
    let venue: Venue, pipeline: Pipeline
    before(async () => {
      venue = await startVenue()
      const environment = await pipelineEnvironment({ HL_API_URL: venue.url, HL_SEGMENT_MS: '300' })
      const store = openStore(environment['CLICKHOUSE_URL'] ?? '', environment['CLICKHOUSE_DATABASE'] ?? '')
      try { await writeControl(store, name, state, 'test') } finally { await store.close() }
      pipeline = await startPipeline(environment)
    })
    after(ending(() => pipeline, () => venue))
    const count = async (table: string): Promise<number> => (await pipeline.store.query(`SELECT count() AS count FROM ${table} WHERE chain = 'HL'`, {}, Count))[0]?.count ?? 0

    it('hears Hyperliquid all the same, and works nothing out', async () => {
      await until(async () => await count('raw_payloads') > 0, 'nothing was heard', 15)
      if (await count('plans') > 0) throw new Error('it was planned')
    })
  })
}
