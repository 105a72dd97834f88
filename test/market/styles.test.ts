/** Traders that a market is made with, told by the rules alone: over a window that the rules ask for, nine of ten are what they were made as; and their ledger, to the cent. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { makeHistory, type VenueHistory } from '../../scripts/bench/hyperliquid/history.js'
import { freshStore } from '../support/servers.js'

describe('styles of made traders', function () {
  this.timeout(240_000)
  let store: Store, history: VenueHistory
  before(async () => {
    const fresh = await freshStore()
    store = fresh.store
    history = await makeHistory(store, fresh.url, 20_000, () => undefined, { only: 'traders' })
  })

  it('are told as they were made', () => {
    const { judged } = history
    const share = (made: (one: string) => boolean): number => {
      const rows = judged.filter((row) => made(row.made))
      const all = rows.reduce((sum, { traders }) => sum + traders, 0)
      assert.ok(all > 0)
      return rows.filter(({ told, made: as }) => told === as).reduce((sum, { traders }) => sum + traders, 0) / all
    }
    const seen = JSON.stringify(judged)
    for (const style of ['SNIPER', 'DIRECTIONAL', 'STEAMROLLER', 'HEDGER']) assert.ok(share((made) => made === style) >= 0.8, `${style}: ${seen}`)
    assert.ok(share((made) => made !== '') >= 0.9, seen)
    // Those made without a style are seldom told one of the four.
    assert.ok(judged.filter(({ made, told }) => made === '' && ['SNIPER', 'STEAMROLLER'].includes(told)).length === 0, seen)
  })

  it('positions come to what the ledger they were made with says, to the cent: earned before fees, fees and funding', async () => {
    const [row] = await store.query(`SELECT toUInt32(count()) AS accounts, max(abs(w.gross - m.gross)) AS gross, max(abs(w.fees - m.fees)) AS fees, max(abs(w.funding - m.funding)) AS funding, max(abs(w.net - (m.gross - m.fees + m.funding))) AS net, max(abs(w.net)) AS most
      FROM (SELECT account, toFloat64(sum(t.gross)) AS gross, toFloat64(sum(t.fees)) AS fees, toFloat64(sum(t.funding)) AS funding, toFloat64(sum(t.net)) AS net FROM hl_trips AS t FINAL GROUP BY account) AS w
      INNER JOIN (
        SELECT account, sum(earned) AS gross, sum(fee) AS fees, sum(paid) AS funding FROM (
          SELECT trader, toFloat64(closed_pnl) AS earned, toFloat64(made_fills.fee) AS fee, toFloat64(0) AS paid FROM made_fills UNION ALL SELECT trader, 0, 0, toFloat64(usdc) FROM made_payments
        ) AS x INNER JOIN made_traders USING (trader) WHERE trader IN (SELECT trader FROM made_fills) GROUP BY account
      ) AS m ON m.account = w.account`, {}, z.object({ accounts: z.number(), gross: z.number(), fees: z.number(), funding: z.number(), net: z.number(), most: z.number() }))
    assert.ok(row !== undefined && row.accounts > 40 && row.most > 1_000, JSON.stringify(row))
    for (const [name, off] of Object.entries({ gross: row.gross, fees: row.fees, funding: row.funding, net: row.net })) assert.ok(off < 0.01, `${name} is off by ${off} dollars: ${JSON.stringify(row)}`)
  })
})
