/** Coins that the venue has taken down: its lists tell them still, with contexts of nothing, and they are no markets. */
import assert from 'node:assert/strict'
import { digest, infoAnswer, insertHeard, listened, message } from '../support/hyperliquid.js'
import { startService, type Service } from './support/service.js'

describe('coins that the venue has taken down', function () {
  this.timeout(90_000)
  let service: Service
  const get = async (path: string) => { const { status, body } = await service.call(`GET /v1/feed/hl/${path}`, { key: null }); assert.equal(status, 200, path); return body }
  const context = (funding: string) => ({ funding, openInterest: '10.0', prevDayPx: '100', dayNtlVlm: '5.5', premium: '0', oraclePx: '100', markPx: '100', midPx: null, impactPxs: null, dayBaseVlm: '1.0' })
  const list = (dex: string, coins: readonly (readonly [string, boolean])[]) => infoAnswer({ type: 'meta', dex }, { universe: coins.map(([name, isDelisted]) => ({ name, szDecimals: 2, maxLeverage: 10, ...(isDelisted ? { isDelisted } : {}) })) })
  const said = (coin: string, funding: string) => message('activeAssetCtx', { coin, ctx: context(funding) })
  before(async () => {
    service = await startService()
    const { store } = service
    await listened(store)
    const contexts = [said('BTC', '0.00002'), said('GONE', '0'), said('BACK', '0.00004'), said('NEW', '0.00006'), said('SYN-ONE', '0.00008'), message('allDexsAssetCtxs', { ctxs: [['xyz', [context('0.00001'), context('0')]]] })]
    await insertHeard(store, 1, [list('', [['BTC', false], ['GONE', false], ['BACK', true]]), list('xyz', [['xyz:AAPL', false], ['xyz:GONE', true]]), ...contexts])
    // The newest list of a dex says which: one went, another came back.
    await insertHeard(store, 2, [list('', [['BTC', false], ['GONE', true], ['BACK', false]])])
    await digest(store, 1, 2)
    await store.insert('heads', [{ chain: 'HL', number: 2, hash: 'x', block_time: new Date().toISOString(), finalized: 2, endpoint: 'venue', observed_at: new Date().toISOString() }])
  })
  after(() => service.stop())

  it('are no markets, and those of which no list tells are', async () => {
    assert.deepEqual((await get('funding')).markets.map(({ coin }: any) => coin), ['BACK', 'BTC', 'NEW', 'SYN-ONE', 'xyz:AAPL'])
  })
  it('pay no funding that would count', async () => {
    const { pulse } = await get('pulse')
    assert.ok(Math.abs(pulse.mean_funding_rate - 0.00005) < 1e-12, String(pulse.mean_funding_rate))
  })
})
