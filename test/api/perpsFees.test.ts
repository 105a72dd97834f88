/** Fees of fills in dollars: on spot the venue takes what was bought, and calls the token. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { loadSql } from '../../schemas/sql.js'
import { digest, insertHeard } from '../support/hyperliquid.js'
import { freshStore } from '../support/servers.js'

const fills = loadSql(new URL('../../api/operations/perps/getHlTrader.ts', import.meta.url).href, 'getHlTraderFills.sql')
const address = `0x${'11'.repeat(20)}`, now = Date.now() - 60_000
const fill = (tid: number, coin: string, side: 'A' | 'B', px: string, fee: string, feeToken: string): string => JSON.stringify([address, {
  coin, px, sz: '2.0', side, time: now + tid, startPosition: '0.0', dir: side === 'B' ? 'Buy' : 'Sell', closedPnl: '0.0', hash: `0x${'ab'.repeat(32)}`, oid: tid, crossed: true, fee, tid, feeToken,
}])

describe('the fee of a fill in dollars', function () {
  this.timeout(120_000)
  it('is what it is in USDC, worth its price in the token bought, unknown in another', async () => {
    const { store } = await freshStore()
    const lines = [fill(1, 'BTC', 'B', '60000.0', '1.5', 'USDC'), fill(2, '@156', 'B', '160.32', '0.00088689', 'USOL'), fill(3, '@156', 'A', '160.0', '0.25', 'USDC'), fill(4, '@156', 'A', '160.0', '0.25', 'USDH')]
    await insertHeard(store, 1, [{ kind: 'node_fills', payload: lines.join('\n'), at: now + 1_000 }])
    await digest(store, 1, 1)
    const ask = { address, before: Date.now(), coin: '', tid: '0', extra: '0' }, Row = z.object({ trade_id: z.string(), fee_usd: z.number().nullable() })
    const rows = await store.query(fills, { ...ask, limit: 10 }, Row)
    assert.deepEqual(rows.map((row) => [row.trade_id, row.fee_usd]), [['4', null], ['3', 0.25], ['2', 0.142186], ['1', 1.5]])
    assert.deepEqual((await store.query(fills, { ...ask, limit: 2 }, Row)).map(({ fee_usd: fee }) => fee), [null, 0.25], 'also on a page that does not reach all of them')
  })
  it('is of its own side where an account traded with itself, and unknown where others list a perp with another collateral', async () => {
    const { store } = await freshStore()
    const lines = [fill(1, '@156', 'A', '160.0', '0.25', 'USDC'), fill(1, '@156', 'B', '160.0', '0.01', 'USOL'), fill(2, 'xyz:AAPL', 'B', '200.0', '0.2', 'USDC'), fill(3, 'km:US500', 'B', '600.0', '0.3', 'USDH')]
    await insertHeard(store, 1, [{ kind: 'node_fills', payload: lines.join('\n'), at: now + 1_000 }])
    await digest(store, 1, 1)
    const rows = await store.query(fills, { address, before: Date.now(), coin: '', tid: '0', extra: '0', limit: 10 }, z.object({ coin: z.string(), side: z.string(), fee_usd: z.number().nullable() }))
    assert.deepEqual(rows.map(({ coin, side, fee_usd: fee }) => [coin, side, fee]), [['km:US500', 'buy', null], ['xyz:AAPL', 'buy', 0.2], ['@156', 'buy', 1.6], ['@156', 'sell', 0.25]])
  })
})
