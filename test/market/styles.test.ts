/** Traders that a market is made with, told by the rules alone: over a window that the rules ask for, nine of ten are what they were made as. */
import assert from 'node:assert/strict'
import { makeHistory } from '../../scripts/bench/hyperliquid/history.js'
import { freshStore } from '../support/servers.js'

describe('styles of made traders', function () {
  this.timeout(240_000)
  it('are told as they were made', async () => {
    const { store, url } = await freshStore()
    const { judged } = await makeHistory(store, url, 20_000, () => undefined, { only: 'traders' })
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
})
