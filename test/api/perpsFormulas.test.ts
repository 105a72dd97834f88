/** The venue's own worked examples: liquidation price, return on equity and funding, to the digit; and what its recorded answers of 2023, made by older rules, say. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { digest, infoAnswer, insertHeard, message, recordedAnswers } from '../support/hyperliquid.js'
import { addressOf } from '../support/traders.js'
import { startService, type Service } from './support/service.js'

const now = Date.now()
const sums = (value: string) => ({ accountValue: value, totalNtlPos: '100.02765', totalRawUsd: '13009.454676', totalMarginUsed: '4.967826' })
/** The documentation's example of an account: 0.0335 ETH from 2986.3 on, isolated at 20 times, of 50 at most. */
const example = { coin: 'ETH', szi: '0.0335', leverage: { type: 'isolated', value: 20, rawUsd: '-95.059824' }, entryPx: '2986.3', positionValue: '100.02765', unrealizedPnl: '-0.0134', returnOnEquity: '-0.0026789', liquidationPx: '2866.26936529', marginUsed: '4.967826', maxLeverage: 50, cumFunding: { allTime: '514.085417', sinceOpen: '0.0', sinceChange: '0.0' } }
const state = (user: string, position: object, more: object = {}) => infoAnswer({ type: 'clearinghouseState', user }, { marginSummary: sums('13109.482328'), crossMarginSummary: sums('13104.514502'), crossMaintenanceMarginUsed: '0.0', withdrawable: '13104.514502', time: now, assetPositions: [{ type: 'oneWay', position }], ...more })
const context = (coin: string, more: object) => message('activeAssetCtx', { coin, ctx: { funding: '0.0011875', openInterest: '1', prevDayPx: '10000', dayNtlVlm: '1', premium: null, oraclePx: '10000', markPx: '10050', midPx: null, impactPxs: null, dayBaseVlm: '1', ...more } })

describe('formulas of the perps venue', function () {
  this.timeout(90_000)
  let service: Service
  const get = async (path: string): Promise<any> => { const { status, body } = await service.call(`GET /v1/feed/hl/${path}`, { key: null }); assert.equal(status, 200, path); return body }
  before(async () => {
    service = await startService()
    const cross = { ...example, coin: 'BTC', szi: '-2', leverage: { type: 'cross', value: 10 }, entryPx: '101', positionValue: '200', unrealizedPnl: '2', marginUsed: '20', maxLeverage: 40, liquidationPx: null }
    const long = { ...example, coin: 'BTC', szi: '10', leverage: { type: 'cross', value: 5 }, entryPx: '10000', positionValue: '100500', unrealizedPnl: '500', marginUsed: '20100', maxLeverage: 40, liquidationPx: null }
    await insertHeard(service.store, 1, [
      state(addressOf(1), example), state(addressOf(2), cross, { crossMarginSummary: sums('50'), crossMaintenanceMarginUsed: '2.5' }), state(addressOf(3), long, { crossMarginSummary: sums('200000'), crossMaintenanceMarginUsed: '1256.25' }),
      context('BTC', { impactPxs: ['10100', '10101'] }), context('ETH', { premium: '-0.0005591732' }), context('SOL', { impactPxs: ['9999', '10001'] }), context('DOGE', { premium: '0.4' }), context('xyz:AAPL', { impactPxs: ['10000', '10040'] }), context('HYPE', {}),
    ])
    await digest(service.store, 1, 1)
  })
  after(() => service.stop())
  const held = async (nth: number): Promise<any> => (await get(`trader/${addressOf(nth)}`)).positions[0]

  it('liquidation price and return on equity of the documented account', async () => {
    const { return_on_equity: equity, formula_liquidation_price: formula, liquidation_price: said } = await held(1)
    assert.deepEqual([equity, formula, said], [-0.0026789, 2866.26936529, 2866.26936529])
  })

  it('cross: what the account is worth less all its maintenance bears it; none where the price cannot fall so far', async () => {
    // 100 + (50 - 2.5) / 2 / (1 + 1/80)
    const { formula_liquidation_price: formula, liquidation_price: said, return_on_equity: equity } = await held(2)
    assert.deepEqual([formula, said, equity], [123.45679012, null, 0.0990099])
    assert.equal((await held(3)).formula_liquidation_price, null)
  })

  it('funding: premium and interest make the rate of eight hours, an eighth of it is paid each hour, on the oracle price', async () => {
    const rates = Object.fromEntries((await get('funding')).markets.map(({ coin, formula_rate: rate }: any) => [coin, rate]))
    // The example's premium of 1 % makes 0.95 %; the example takes it for the hour's, the rule beside it and what was settled say an eighth.
    assert.deepEqual(rates, { BTC: 0.0011875, ETH: -0.0000073966, SOL: 0.0000125, DOGE: 0.04, 'xyz:AAPL': 0.0001875, HYPE: null })
    // Ten long at an oracle price of 10,000; the mark price of 10,050 has no part in it.
    assert.equal((await held(3)).hour_funding_usd, -118.75)
    assert.equal((await held(2)).hour_funding_usd, 23.75)
  })

  it('answers recorded in March 2023 follow the rules of then: equity of the value, no share of maintenance that moves with the price', async () => {
    const [recorded] = recordedAnswers().filter(({ request }) => request['type'] === 'clearinghouseState')
    assert.ok(recorded !== undefined)
    await insertHeard(service.store, 2, [infoAnswer(recorded.request, recorded.response)])
    await digest(service.store, 2, 2)
    // One in a hundred of all that is held, cut to millionths, was kept back; long positions that the rest of the account bears to zero had no price.
    const [row] = await service.store.query(`
      SELECT toUInt32(count()) AS positions, toUInt32(countIf(round(divideDecimal(toDecimal256(p.unrealized_pnl, 18) * p.leverage, toDecimal256(p.position_value, 18), 12), 8) = p.return_on_equity)) AS equities,
        toUInt32(countIf(p.liquidation_px IS NOT NULL)) AS priced,
        toUInt32(countIf(round(divideDecimal(toDecimal256(p.position_value, 18) - (toDecimal256(a.account_value, 18) - toDecimal256(divideDecimal(toDecimal256(a.position_value, 18), toDecimal256(100, 0), 6), 18)) * if(p.szi > 0, 1, -1), toDecimal256(abs(p.szi), 18), 12), 8) = p.liquidation_px)) AS prices
      FROM hl_positions AS p INNER JOIN hl_accounts AS a ON a.account = p.account AND a.time = p.time WHERE p.account = toFixedString(unhex({account:String}), 20)`, { account: String(recorded.request['user']).slice(2) }, z.object({ positions: z.number(), equities: z.number(), priced: z.number(), prices: z.number() }))
    assert.deepEqual(row, { positions: 12, equities: 12, priced: 5, prices: 5 })
  })
})
