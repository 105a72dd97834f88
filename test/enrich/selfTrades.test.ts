/** A trade of an account with itself has two fills under one id: both stand, once each. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { computeTraders } from '../../stages/traders/computeTraders.js'
import { digest, insertHeard } from '../support/hyperliquid.js'
import { freshStore } from '../support/servers.js'
import { addressOf, file, hour, roundTrip, start } from '../support/traders.js'

describe('trades with oneself', function () {
  this.timeout(60_000)
  it('keep both sides, and what is held goes on as it was', async () => {
    const { store } = await freshStore()
    const [opened, closed] = roundTrip(1, 1, { at: 0, hold: 2 * hour, exit: 110, size: 5 })
    const [, common] = opened as [string, object]
    const self = (['B', 'A'] as const).map((side) => [addressOf(1), { ...common, side, sz: '2', time: start + hour, startPosition: '5', dir: side === 'B' ? 'Open Long' : 'Close Long', crossed: side === 'B', tid: 50, oid: side === 'B' ? 8 : 9 }])
    await insertHeard(store, 1, [file([opened, ...self, closed])])
    await insertHeard(store, 2, [file([...self].reverse())])
    for (const segment of [1, 2]) await digest(store, segment, segment)
    await computeTraders(store, { chain: 'HL', upto: 2 })
    assert.deepEqual(await store.query("SELECT toString(side) AS side FROM hl_fills WHERE tid = 50 ORDER BY side", {}, z.object({ side: z.string() })), [{ side: 'buy' }, { side: 'sell' }])
    assert.deepEqual(await store.query('SELECT state, toString(gap) AS gap, fills FROM hl_trips FINAL', {}, z.object({ state: z.string(), gap: z.string(), fills: z.number() })), [{ state: 'closed', gap: 'none', fills: 4 }])
  })
})
