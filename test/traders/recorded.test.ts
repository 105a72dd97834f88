/** The recorded account of the venue: five hundred fills, many of both sides in one moment, trades with itself, none with a trade id. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { computeTraders } from '../../stages/traders/computeTraders.js'
import { digest, infoAnswer, insertHeard, recordedAnswers } from '../support/hyperliquid.js'
import { freshStore } from '../support/servers.js'

describe('positions of the recorded account', function () {
  this.timeout(120_000)
  it('use every fill once and lose none: where one ends the next begins', async () => {
    const { store } = await freshStore()
    for (const [index, { request, response }] of recordedAnswers().entries()) await insertHeard(store, index + 1, [infoAnswer(request, response)])
    await digest(store, 1, 40)
    await computeTraders(store, { chain: 'HL', upto: 40 })
    const read = (sql: string) => store.query(sql, {}, z.object({}).loose())
    assert.deepEqual(await read("SELECT toString(state) AS state, toString(gap) AS gap, toUInt32(count()) AS trips, toUInt32(sum(t.fills)) AS fills FROM hl_trips AS t FINAL GROUP BY state, gap ORDER BY gap"), [
      { state: 'closed', gap: 'none', trips: 28, fills: 247 }, { state: 'closed', gap: 'start', trips: 15, fills: 280 },
    ])
    // A fill across zero counts in two positions; sizes add up to the digit.
    const [sizes] = await read('SELECT toString((SELECT sum(opened_sz + closed_sz) FROM hl_trips FINAL)) AS walked, toString((SELECT sum(sz) FROM hl_fills)) AS heard')
    assert.equal(sizes?.['walked'], sizes?.['heard'])
    const [paid] = await read('SELECT toString(sum(t.net - t.gross + t.fees)) AS kept, toString(sum(t.funding)) AS told FROM hl_trips AS t FINAL')
    assert.equal(paid?.['kept'], paid?.['told'])
    // What was held before the first fill is not known: what this account's skill is cannot be told, what it realised can.
    assert.deepEqual(await read("SELECT has(flags, 'history_truncated') AS cut, copy_score FROM hl_traders FINAL"), [{ cut: 1, copy_score: 0 }])
  })
})
