/** Books, contexts and middle prices go when they are old by when they were heard, whatever time they name; what is dealt stays. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { digest, infoAnswer, insertHeard, message, recordedAnswers } from '../../support/hyperliquid.js'
import { freshStore, withoutMerges } from '../../support/servers.js'

const day = 86_400_000
const Row = z.object({ row: z.string() })

describe('how long what Hyperliquid shows is kept', function () {
  this.timeout(60_000)
  it('what was recorded long ago and is heard today stays; what was heard long ago goes', async () => {
    const { store } = await freshStore()
    const rows = async (table: string): Promise<string[]> => (await store.query(`SELECT DISTINCT toString(coin) AS row FROM ${table} ORDER BY row`, {}, Row)).map(({ row }) => row)
    const now = Date.now(), context = { markPx: '2', midPx: '2', oraclePx: '2', funding: '0.1', openInterest: '1', premium: '0', prevDayPx: '2', dayNtlVlm: '1' }
    const shown = (coin: string, at: number) => [
      message('l2Book', { coin, time: at, levels: [[{ px: '1', sz: '2', n: 3 }], []] }, {}, at), message('activeAssetCtx', { coin, ctx: context }, {}, at), message('allMids', { mids: { [coin]: '2.5' } }, {}, at),
    ]
    const recorded = recordedAnswers().filter(({ request }) => request['type'] === 'l2Book').map(({ request, response }) => infoAnswer(request, response, now))
    await withoutMerges(store, 'raw_payloads', async () => {
      await insertHeard(store, 1, [...shown('OLD', now - 90 * day), message('trades', [{ coin: 'OLD', side: 'B', px: '2', sz: '1', time: now - 90 * day, hash: `0x${'ab'.repeat(32)}`, tid: 7, users: [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`] }], {}, now - 20 * day)])
      await insertHeard(store, 2, [...shown('MID', now - 45 * day), ...shown('NEW', now - 20 * day)])
      await insertHeard(store, 3, recorded)
      for (const segment of [1, 2, 3]) await digest(store, segment, segment)
    })
    for (const table of ['hl_books', 'hl_contexts', 'hl_mids']) await store.execute(`OPTIMIZE TABLE ${table} FINAL`)
    // A part goes when all of it is old: what is left of a month is no older than the month.
    const books = await rows('hl_books')
    assert.deepEqual([books.includes('OLD'), books.includes('NEW'), books.includes('DYDX')], [false, true, true])
    assert.deepEqual([(await rows('hl_contexts')).includes('OLD'), (await rows('hl_contexts')).includes('NEW'), (await rows('hl_mids')).includes('OLD'), (await rows('hl_mids')).includes('NEW')], [false, true, false, true])
    assert.deepEqual(await rows('hl_trades'), ['OLD'])
  })
})
