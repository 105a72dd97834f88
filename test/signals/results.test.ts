/** Bounds of a mean, drawn from thousands of signals within a bounded memory. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { loadSql } from '../../schemas/sql.js'
import { freshStore } from '../support/servers.js'

const results = loadSql(new URL('../../stages/signals/giveSignals.ts', import.meta.url).href, 'results.sql')
const Row = z.object({ part: z.string(), closed: z.coerce.number(), mean: z.number(), low: z.number(), high: z.number() })

describe('results of signals', function () {
  this.timeout(60_000)

  it('have bounds about as wide as the theory says, the same each time, whatever the number of signals', async () => {
    const { store } = await freshStore()
    const [count, hit, cost] = [20_000, 60, -40]
    // Half of $1,000 positions made $6 and half lost $4: a mean of 10 basis points, a deviation of 50.
    const terms = { of: "'HL' AS chain, toFixedString(unhex(leftPad(hex(number), 64, '0')), 32) AS id, 'rule' AS kind, 'v3' AS version, 'SYN' AS coin, toDateTime(1700000000 + number * 60, 'UTC') AS time, 'long' AS side" }
    await store.execute(`INSERT INTO hl_signals (chain, id, kind, version, coin, time, side, baseline, quantity_usd) SELECT ${terms.of}, false AS baseline, 1000 FROM numbers({count:UInt64})`, { count })
    await store.execute(`INSERT INTO hl_outcomes (chain, id, kind, version, coin, time, side, baseline, exit_at, reason, pnl_usd) SELECT ${terms.of}, false AS baseline, time + 30, 'horizon', if(number % 2 = 0, ${hit}, ${cost}) / 10 FROM numbers({count:UInt64})`, { count })
    const to_time = 1_700_000_000 + (count + 1) * 60
    const told = async (until: number) => {
      await store.execute(results, { chain: 'HL', to_time: until, through: '1' }, { max_memory_usage: 1_000_000_000 })
      return store.query("SELECT toString(part) AS part, closed, mean_bps AS mean, low_bps AS low, high_bps AS high FROM hl_results WHERE known_until = toDateTime({until:UInt32}, 'UTC') AND part != 'train' ORDER BY part", { until }, Row)
    }
    const rows = await told(to_time)
    assert.deepEqual(rows.map(({ part }) => part), ['all', 'test'])
    for (const { closed, mean, low, high } of rows) {
      assert.ok(Math.abs(mean - (hit + cost) / 2) < 1, `mean ${mean}`)
      const width = (high - low) / (2 * 1.96 * ((hit - cost) / 2) / Math.sqrt(closed))
      assert.ok(low < mean && mean < high && width > 0.75 && width < 1.25, `${low} to ${high}, ${width} of the theory's`)
    }
    assert.deepEqual((await told(to_time + 60)).map(({ low, high }) => [low, high]), rows.map(({ low, high }) => [low, high]))
  })
})
