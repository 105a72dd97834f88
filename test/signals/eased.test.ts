/** Positions close to liquidation that were made smaller or got room: told as estimates, each once; others are not. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { giveSignals } from '../../stages/signals/giveSignals.js'
import { infoAnswer, type Heard } from '../support/hyperliquid.js'
import { freshStore } from '../support/servers.js'
import { calm, hear, hour, minute, start } from './market.js'

const addressOf = (nth: number): string => `0x${nth.toString(16).padStart(2, '0').repeat(20)}`
/** What is seen of the position of account `nth` at a mark of 100: size and liquidation price. */
const seen = (nth: number, when: number, szi: number, liquidationPx: string | null): Heard => infoAnswer({ type: 'clearinghouseState', user: addressOf(nth) }, {
  marginSummary: { accountValue: '10.0', totalNtlPos: '1.0', totalRawUsd: '0.0', totalMarginUsed: '1.0' }, withdrawable: '0.0', time: start + when,
  assetPositions: [{ type: 'oneWay', position: { coin: 'BTC', szi: `${szi}`, leverage: { type: 'cross', value: 20 }, entryPx: '100.0', positionValue: `${Math.abs(szi) * 100}`, unrealizedPnl: '0.0', returnOnEquity: '0.0', liquidationPx, marginUsed: '1.0', maxLeverage: 40, cumFunding: { allTime: '0.0', sinceOpen: '0.0', sinceChange: '0.0' } } }],
}, start + when)
/** The same account seen twice, a minute apart unless told. */
const twice = (nth: number, before: [number, string | null], after: [number, string | null], apart = minute): Heard[] => [seen(nth, 10 * minute, ...before), seen(nth, 10 * minute + apart, ...after)]

describe('positions that were close to liquidation', function () {
  this.timeout(120_000)
  let store: Store
  before(async () => { ({ store } = await freshStore()) })

  it('made smaller, or with collateral added: long and short; not what was far, small, turned, cut a little, or seen an hour before', async () => {
    await hear(store, 1, [
      ...calm(0, 2 * hour, 100),
      ...twice(1, [5_000, '99.9'], [4_000, '99.9']), ...twice(2, [5_000, '99.9'], [5_000, '95.0']), ...twice(3, [-5_000, '100.1'], [-5_000, '104.0']), ...twice(4, [-5_000, '100.1'], [-2_500, '108.0']),
      ...twice(5, [5_000, '90.0'], [4_000, '90.0']), ...twice(6, [5, '99.9'], [4, '99.9']), ...twice(7, [5_000, '99.9'], [-4_000, '104.0']), ...twice(8, [5_000, '99.9'], [4_600, '99.9']), ...twice(9, [5_000, '99.9'], [4_000, '99.9'], 70 * minute), ...twice(10, [5_000, '99.9'], [5_000, '99.95']),
    ])
    const told = async (): Promise<unknown> => store.query("SELECT kind, concat('0x', lower(hex(account))) AS account, side, toString(basis) AS basis, value_usd AS usd FROM hl_alerts WHERE kind IN ('position_reduced', 'collateral_added') ORDER BY account", {}, z.record(z.string(), z.unknown()))
    await giveSignals(store, { chain: 'HL', now: Date.now(), seconds: 60 })
    const expected = [['position_reduced', 1, 'long', 400_000], ['collateral_added', 2, 'long', 500_000], ['collateral_added', 3, 'short', 500_000], ['position_reduced', 4, 'short', 250_000]] as const
    assert.deepEqual(await told(), expected.map(([kind, nth, side, usd]) => ({ kind, account: addressOf(nth), side, basis: 'estimated', usd })))
    await giveSignals(store, { chain: 'HL', now: Date.now(), seconds: 60 })
    assert.equal(((await told()) as unknown[]).length, expected.length)
  })

  it('with so much collateral added that the venue gives no liquidation price any more; not what had none before', async () => {
    const { store: own } = await freshStore()
    await hear(own, 1, [...calm(0, 2 * hour, 100), ...twice(1, [5_000, '99.9'], [5_000, null]), ...twice(2, [-5_000, '100.1'], [-5_000, null]), ...twice(3, [5_000, '99.9'], [4_000, null]), ...twice(4, [5_000, null], [4_000, '99.9']), ...twice(5, [5_000, null], [5_000, null])])
    await giveSignals(own, { chain: 'HL', now: Date.now(), seconds: 60 })
    const told = await own.query("SELECT kind, concat('0x', lower(hex(account))) AS account, summary, detail FROM hl_alerts WHERE kind IN ('position_reduced', 'collateral_added') ORDER BY account", {}, z.object({ kind: z.string(), account: z.string(), summary: z.string(), detail: z.string() }))
    assert.deepEqual(told.map(({ kind, account }) => [kind, account]), [['collateral_added', addressOf(1)], ['collateral_added', addressOf(2)], ['position_reduced', addressOf(3)]])
    assert.deepEqual([told[1]?.summary, told[1]?.detail], [`Estimated: the short in BTC of ${addressOf(2)} got room: its liquidation price went from 100.1 to none`, 'distance 0.001 before, no liquidation price after'])
  })

  it('is told close once it is worth enough, though it was seen first, in the same hour, when it was not', async () => {
    const { store: own } = await freshStore()
    await hear(own, 1, [...calm(0, 2 * hour, 100), ...twice(1, [5, '99.9'], [5_000, '99.9']), ...twice(2, [6_000, '99.9'], [5_000, '99.9']), ...twice(3, [5, '99.9'], [6, '99.9'])])
    await giveSignals(own, { chain: 'HL', now: Date.now(), seconds: 60 })
    const told = await own.query("SELECT concat('0x', lower(hex(account))) AS account, value_usd AS usd, toInt32(dateDiff('minute', toDateTime({start:UInt32}, 'UTC'), time)) AS minute FROM hl_alerts WHERE kind = 'liquidation_near' ORDER BY account", { start: start / 1_000 }, z.object({ account: z.string(), usd: z.number(), minute: z.number() }))
    assert.deepEqual(told.map((row) => Object.values(row)), [[addressOf(1), 500_000, 11], [addressOf(2), 600_000, 10]])
  })
})
