/** The made market that questions about the venue are timed on, and how its figures are judged. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { writeFiles } from '../../scripts/bench/hyperliquid/files.js'
import { makeHistory, type VenueHistory } from '../../scripts/bench/hyperliquid/history.js'
import { questions } from '../../scripts/bench/hyperliquid/questions.js'
import { hyperliquidBars, hyperliquidSection } from '../../scripts/bench/hyperliquid/report.js'
import { operations } from '../../api/registry.js'
import type { Store } from '../../schemas/clickhouse.js'
import { freshStore } from '../support/servers.js'

describe('a made market as a long history', function () {
  this.timeout(180_000)
  let store: Store, history: VenueHistory
  before(async () => {
    const fresh = await freshStore()
    store = fresh.store
    history = await makeHistory(store, fresh.url, 4_000, () => undefined, { days: 14 })
  })

  it('stands in the store as it was made', async () => {
    const [row] = await store.query(`SELECT toString(count()) AS fills, toString(sum(closed_pnl)) AS pnl, toString(sum(fee)) AS fees, (SELECT toString(count()) FROM hl_trades) AS trades,
      toString((SELECT count() FROM hl_forced) = (SELECT countIf(bust) FROM made_trades)) AS forced, toString((SELECT count() FROM hl_funding_payments) >= (SELECT count() FROM made_payments)) AS paid FROM hl_fills`, {}, z.record(z.string(), z.string()))
    const [made] = await store.query('SELECT toString(count()) AS fills, toString(sum(closed_pnl)) AS pnl, toString(sum(fee)) AS fees, (SELECT toString(count()) FROM made_trades) AS trades FROM made_fills', {}, z.record(z.string(), z.string()))
    assert.deepEqual(row, { ...made, forced: '1', paid: '1' } as Record<string, string>)
    assert.equal(made?.['fills'], String(history.market.fills))
  })

  it('is written as a node writes its files, each fill once', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hydrophone-made-'))
    try {
      await writeFiles(store, { ...history.market, minutes: 600 }, folder)
      const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile())
      const lines = files.flatMap((file) => readFileSync(join(file.parentPath, file.name), 'utf8').split('\n')).filter((line) => line !== '')
      const events = lines.flatMap((line) => (JSON.parse(line) as { events: [string, { coin: string }][] }).events)
      const [told] = await store.query('SELECT count() AS fills FROM made_fills WHERE at < fromUnixTimestamp64Milli({until:Int64})', { until: history.market.begin + 36_000_000 }, z.object({ fills: z.coerce.number() }))
      assert.ok(events.length > 0)
      assert.equal(events.length, told?.fills)
      assert.ok(events.every(([account, fill]) => account.startsWith('0x53594e54') && fill.coin.startsWith('SYN-')))
    } finally { rmSync(folder, { recursive: true }) }
  })

  it('is asked every question that there is about the venue', () => {
    const routes = operations.map(({ route }) => route.split(' ')[1] ?? '').filter((route) => route.startsWith('/v1/feed/hl/'))
    const asked = new Set(questions.map(({ path }) => (path(1, '0x1').split('?')[0] ?? '').replace('/0x1', '/{address}')))
    assert.deepEqual(routes.filter((route) => !asked.has(route)), [])
  })

  it('is judged by its bars', () => {
    const files = { fills: 100, megabytes: 1, seconds: 0.01, segments: 1, cpu: { worker: 1 }, stages: [] }
    const live = { rate: 500, seconds: 1, seen: 500, lost: 0, p50: 100, p95: 301, segments: 9 }
    const judged = [{ role: 'sniper', made: 'SNIPER', told: 'SNIPER', traders: 9 }, { role: 'sniper', made: 'SNIPER', told: '', traders: 1 }]
    const result = { files, live, history: { ...history, judged }, answered: [{ name: 'a', bar: 200, p50: 1, p95: 199, first95: 200 }], othersShare: 0, clickhouse: '' }
    assert.deepEqual(hyperliquidBars(result).map(({ met }) => met), [false, false, true, true])
    assert.match(hyperliquidSection(result).join('\n'), /\| sniper \| SNIPER \| 9 \| 0 \| 0 \| 0 \| 1 \| 0 \|/)
  })
})
