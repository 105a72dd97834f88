/** Whether all of a time has passed a stage: as the whole plan and ledger of a chain say it, which are not read for each question. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { openCoverage } from '../../api/coverage.js'
import type { Ask } from '../../api/operation.js'
import { allTime, isWorkedOn } from '../../api/reach.js'
import type { Store } from '../../schemas/clickhouse.js'
import { loadSql } from '../../schemas/sql.js'
import { freshStore } from '../support/servers.js'

const unworked = loadSql(new URL('../../api/x', import.meta.url).href, 'unworked.sql')
const start = Date.parse('2026-01-01T00:00:00Z'), at = (block: number): number => start + 12_000 * block

describe('what waits for a stage', function () {
  this.timeout(60_000)

  it('is told of any time and heights as before, by one look at what is open and statements about little', async () => {
    const { store } = await freshStore(), newest = 19_999, open = [4_000, 4_001, 15_000]
    await store.execute("INSERT INTO plans (chain, seq, kind, from_block, to_block, hash, generation) SELECT 'ETH', number + 1, 'plan', number, number, 'x', 0 FROM numbers(20000)")
    await store.execute("INSERT INTO batches (chain, stage, from_block, to_block, hash, generation) SELECT 'ETH', arrayJoin(if(from_block IN {open:Array(UInt64)}, ['ingest', 'normalize', 'enrich'], ['ingest', 'normalize', 'enrich', 'index', 'alert'])), from_block, to_block, hash, 0 FROM plans", { open })
    await store.execute("INSERT INTO blocks (chain, block_number, block_time) SELECT 'ETH', number, fromUnixTimestamp64Milli({start:Int64} + 12000 * toInt64(number)) FROM numbers(20000)", { start })
    const asked: { readonly name: string; readonly low: number; readonly high: number }[] = []
    const watched: Store = { ...store, query: (statement, params, ...rest) => { if (typeof statement !== 'string') asked.push({ name: statement.name, low: Number(params['low']), high: Number(params['high']) }); return store.query(statement, params, ...rest) } }
    const coverage = openCoverage(watched, () => start), ask = { store: watched, services: { coverage }, signal: undefined } as unknown as Ask
    const bounds = (await coverage.view()).bounds.get('ETH') ?? assert.fail()
    asked.length = 0
    let worked = 0
    for (const [low, high, since, until] of [[0, newest, 0, 20_000], [0, newest, 0, 3_999], [0, newest, 0, 4_000], [0, newest, 4_001, 14_999], [0, newest, 4_000, 14_999], [0, newest, 14_999, 15_000], [0, newest, 15_000, 20_000], [0, 3_999, -1, 20_000], [4_002, 14_999, -1, 20_000], [4_001, 14_999, -1, 20_000], [15_001, newest, -1, 20_000], [14_990, 15_000, -1, 20_000], [10, 20, -1, 20_000]] as const) {
      for (const stage of ['index', 'enrich', 'alert'] as const) {
        const part = { low, high, since: at(since), until: at(until) }
        const [row] = await store.query(unworked, { chain: 'ETH', stage, ...allTime, ...part }, z.object({ unworked: z.coerce.boolean() }))
        const told = await isWorkedOn(stage, bounds, part, ask)
        assert.equal(told, row?.unworked === false, `${stage} ${low}-${high} ${since}-${until}`)
        worked += Number(told)
      }
    }
    assert.ok(worked > 20, `${worked}`)
    assert.deepEqual(asked.filter(({ name, low, high }) => name === 'unworked' && high - low > 11_000), [])
    assert.ok(asked.filter(({ name }) => name === 'openHeights').length <= 3)
  })
})
