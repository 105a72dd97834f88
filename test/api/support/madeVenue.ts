/** A perps market made by hand, as the venue would tell it: two traders of some weeks, three hours of trades with a whale, a leader and one who is closed by force. */
import { computeTraders } from '../../../stages/traders/computeTraders.js'
import { giveSignals } from '../../../stages/signals/giveSignals.js'
import type { Store } from '../../../schemas/clickhouse.js'
import { calm, context, hear, minute, start, trade } from '../../signals/market.js'
import { alertOn, infoAnswer, message } from '../../support/hyperliquid.js'
import { addressOf, file, hour, roundTrip, start as ledgers } from '../../support/traders.js'

export const steady = addressOf(8)
const informed = addressOf(7), victim = addressOf(9), hash = `0x${'cd'.repeat(32)}`

/** Fills `store` with segments 1 and 2 of the venue and judges its traders. */
export const makeVenue = async (store: Store): Promise<void> => {
  const now = Date.now(), bought = now - 60 * hour, base = Math.floor((now - 3 * hour - start) / (5 * minute)) * 5 * minute
  const told = (at: number, px: number, tid: number) => ({ coin: 'BTC', side: 'B', px: px.toFixed(4), sz: '1', time: at, hash, tid, users: [addressOf(98), addressOf(99)] })
  const margin = { accountValue: '5000.5', totalNtlPos: '0', totalRawUsd: '0', totalMarginUsed: '0' }
  const position = { coin: 'ETH', szi: '10', leverage: { type: 'cross', value: 10 }, entryPx: '90', positionValue: '1000', unrealizedPnl: '100', returnOnEquity: '1', liquidationPx: '80', marginUsed: '100', maxLeverage: 40, cumFunding: { allTime: '0', sinceOpen: '0', sinceChange: '0' } }
  const fill = (user: string, at: number, tid: number, more: object) => [user, { coin: 'BTC', px: '100.0', sz: '1000.0', side: 'A', time: start + base + at, startPosition: '1000.0', dir: 'Close Long', closedPnl: '0.0', hash, oid: tid, crossed: true, fee: '1.0', tid, feeToken: 'USDC', ...more }]
  await hear(store, 1, [
    message('trades', [...Array.from({ length: 400 }, (_, nth) => told(bought - 399.5 * 30 * minute + nth * 30 * minute, nth % 2 === 0 ? 100 : 100.01, 9_001_000 + nth)), told(bought + 59 * minute, 120, 9_005_000), told(bought + 3 * hour, 121, 9_005_001)]),
    infoAnswer({ type: 'userNonFundingLedgerUpdates', user: informed }, [{ time: bought - 5 * hour, hash, delta: { type: 'deposit', usdc: '50000' } }, { time: bought + 20 * hour, hash, delta: { type: 'withdraw', usdc: '100000' } }]),
    file([...roundTrip(7, 1, { at: bought - ledgers, hold: 4 * hour, exit: 120, size: 3_000, fee: 1 }), ...Array.from({ length: 12 }, (_, trip) => roundTrip(8, trip + 1, { at: now - 30 * 24 * hour + trip * 48 * hour - ledgers, hold: 5 * hour, exit: trip % 2 === 0 ? 103 : 98, coin: 'ETH' })).flat()]),
    infoAnswer({ type: 'clearinghouseState', user: steady }, { marginSummary: margin, crossMarginSummary: margin, crossMaintenanceMarginUsed: '0', withdrawable: '4000', assetPositions: [{ type: 'oneWay', position }], time: now - minute }),
  ])
  await hear(store, 2, [
    ...calm(base, base + 150 * minute, 100), trade(base + 62 * minute, 100, 3_000_000), context(base + 30 * minute, 100, 100_000), context(base + 90 * minute, 100, 100_000), context(base + 150 * minute, 100, 100_000, '0'), trade(base + 151 * minute, 100, 30_000_000, 'A'), ...calm(base + 152 * minute, base + 176 * minute, 100),
    context(now - minute - start, 100, 100_000), infoAnswer({ type: 'predictedFundings' }, [['BTC', [['HlPerp', { fundingRate: '0.00001', nextFundingTime: now, fundingIntervalHours: 1 }]]]]),
    message('l2Book', { coin: 'BTC', time: now, levels: [[{ px: '99.9', sz: '1000.0', n: 1 }], [{ px: '100.1', sz: '2000.0', n: 1 }]] }),
    file([fill(victim, 165 * minute, 9_006_000, { dir: 'Liquidated Cross Long', sz: '2000.0', startPosition: '2000.0', liquidation: { liquidatedUser: victim, markPx: '99.9', method: 'market' } })]),
  ])
  for (const segment of [1, 2]) await alertOn(store, segment, segment)
  await computeTraders(store, { chain: 'HL', upto: 2 })
  await giveSignals(store, { chain: 'HL', now: now + 120_000, seconds: 60 })
  await store.insert('heads', [{ chain: 'HL', number: 2, hash: 'x', block_time: new Date().toISOString(), finalized: 2, endpoint: 'venue', observed_at: new Date().toISOString() }])
}
