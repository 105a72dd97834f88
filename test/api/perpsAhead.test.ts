/** A clock ahead of ours makes nothing the newest for longer than until the next word. */
import assert from 'node:assert/strict'
import { digest, infoAnswer, insertHeard, message } from '../support/hyperliquid.js'
import { addressOf, hour, minute } from '../support/traders.js'
import { startService, type Service } from './support/service.js'

describe('what the perps venue says of times to come', function () {
  this.timeout(90_000)
  let service: Service
  const now = Date.now(), ahead = now + 20 * hour, earlier = now - 2 * minute, hash = `0x${'ab'.repeat(32)}`
  const get = async (path: string): Promise<any> => { const { status, body, text } = await service.call(`GET /v1/${path}`); assert.equal(status, 200, `${path} ${text}`); return body }
  const book = (time: number, px: number, at: number) => message('l2Book', { coin: 'BTC', time, levels: [[{ px: String(px), sz: '1', n: 1 }], [{ px: String(px + 1), sz: '1', n: 1 }]] }, {}, at)
  const state = (time: number, held: boolean, at: number) => {
    const sums = { accountValue: '100', totalNtlPos: '1', totalRawUsd: '1', totalMarginUsed: '0' }
    const position = { coin: 'BTC', szi: '9', leverage: { type: 'cross', value: 20 }, entryPx: '100', positionValue: '100', unrealizedPnl: '0', returnOnEquity: '0', liquidationPx: null, marginUsed: '5', maxLeverage: 50, cumFunding: { allTime: '0', sinceOpen: '0', sinceChange: '0' } }
    return infoAnswer({ type: 'clearinghouseState', user: addressOf(1) }, { marginSummary: sums, crossMarginSummary: sums, crossMaintenanceMarginUsed: '0', withdrawable: '0', time, assetPositions: held ? [{ type: 'oneWay', position }] : [] }, at)
  }
  const trade = (tid: number, time: number, px: string, at: number) => message('trades', [{ coin: 'BTC', side: 'B', px, sz: '200', time, hash, tid, users: [addressOf(1), addressOf(2)] }], {}, at)
  before(async () => {
    service = await startService()
    await insertHeard(service.store, 1, [book(ahead, 999, earlier), state(ahead, true, earlier), trade(1, ahead, '999', earlier)])
    await insertHeard(service.store, 2, [book(now - 500, 100, now), state(now - 500, false, now), trade(2, now - 500, '100', now)])
    for (const number of [1, 2]) await digest(service.store, number, number)
  })
  after(() => service.stop())

  it('is of when it was heard where it is a state: the next one counts', async () => {
    assert.deepEqual((await get('feed/hl/depth?coins=BTC')).books.map(({ best_bid: bid }: any) => bid), [100])
    assert.deepEqual((await get('feed/hl/positions')).positions, [])
    assert.deepEqual((await get(`feed/hl/trader/${addressOf(1)}`)).positions, [])
  })

  it('is left out of sums up to now where it was dealt', async () => {
    const { pulse } = await get('feed/hl/pulse')
    assert.deepEqual([pulse.trades, pulse.volume_usd, pulse.coins[0].change], [1, 20_000, 0])
    const { hourly: { perps } } = await get('network/summary?chain=HL')
    assert.deepEqual([perps.trades, perps.volume_usd], [1, 20_000])
  })
})
