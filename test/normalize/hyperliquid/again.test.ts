import assert from 'node:assert/strict'
import { z } from 'zod'
import { digest, insertHeard, message } from '../../support/hyperliquid.js'
import { freshStore } from '../../support/servers.js'

const user = `0x${'11'.repeat(20)}`, time = Date.now() - 60_000
const fill = (tid: number, side: 'A' | 'B') => ({ coin: 'BTC', px: '84134.0', sz: '0.002', side, time, startPosition: '0.0', dir: 'Open Long', closedPnl: '0.0', hash: `0x${'ab'.repeat(32)}`, oid: 7, crossed: side === 'B', fee: '0.07', tid, feeToken: 'USDC', twapId: null })

describe('a segment of Hyperliquid that is worked on again', function () {
  this.timeout(60_000)

  it('has all of its rows once, also those that views cut from a table that has them, and both sides of a trade with oneself', async () => {
    const { store } = await freshStore()
    const rows = async () => (await store.query('SELECT (SELECT count() FROM hl_fills) AS fills, (SELECT count() FROM hl_account_fills) AS of_accounts, (SELECT uniqExact(tid, side) FROM hl_account_fills) AS sides', {}, z.object({ fills: z.coerce.number(), of_accounts: z.coerce.number(), sides: z.coerce.number() })))[0]
    await insertHeard(store, 1, [message('userFills', { user, fills: [fill(1, 'B'), fill(2, 'B'), fill(2, 'A')] })])
    await digest(store, 1, 1)
    const whole = { fills: 3, of_accounts: 3, sides: 3 }
    assert.deepEqual(await rows(), whole)
    for (const lost of ['hl_account_fills WHERE tid = 1', "hl_account_fills WHERE tid = 2 AND side = 'sell'", 'hl_account_fills WHERE 1']) {
      await store.execute(`DELETE FROM ${lost}`)
      await digest(store, 1, 1, true)
      assert.deepEqual(await rows(), whole, lost)
    }
    await digest(store, 1, 1, true)
    assert.deepEqual(await rows(), whole)
  })
})
