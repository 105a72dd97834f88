/** Money that comes and goes beside trading: what each kind of change means for the capital, and what is not known where nothing, or not all, was told. */
import assert from 'node:assert/strict'
import { infoAnswer, type Heard } from '../support/hyperliquid.js'
import { addressOf, day, file, hour, minute, near, openJudging, roundTrip, start } from '../support/traders.js'

const other = addressOf(77)

describe('money of traders', function () {
  this.timeout(120_000)
  let judging: Awaited<ReturnType<typeof openJudging>>
  before(async () => { judging = await openJudging() })
  const hear = (...heard: Heard[]) => judging.hear(...heard), judged = (nth: number) => judging.judged(nth)
  const ledger = (nth: number, ...deltas: readonly (readonly [number, object])[]): Heard => infoAnswer({ type: 'userNonFundingLedgerUpdates', user: addressOf(nth) }, deltas.map(([at, delta], place) => ({ time: start + at, hash: `0x${String(place).padStart(2, '0')}${'cd'.repeat(31)}`, delta })))
  const margin = (usd: number) => ({ accountValue: String(usd), totalNtlPos: '0.0', totalRawUsd: String(usd), totalMarginUsed: '0.0' })
  const worth = (nth: number, at: number, usd: number): Heard => infoAnswer({ type: 'clearinghouseState', user: addressOf(nth) }, { marginSummary: margin(usd), crossMarginSummary: margin(usd), crossMaintenanceMarginUsed: '0.0', withdrawable: String(usd), assetPositions: [], time: start + at })
  const gap = (payload: object): Heard => ({ kind: 'gap', payload: JSON.stringify(payload) })
  /** Bought at 100, sold at 110 an hour later. */
  const gain = (nth: number, usd: number, at = 2 * day) => file(roundTrip(nth, 1, { at, hold: hour, exit: 110, size: usd / 10 }))

  it('what a vault holds is not there to trade with; what it gives back is what it said', async () => {
    const vault = addressOf(90)
    await hear(ledger(1, [0, { type: 'deposit', usdc: '100000' }], [hour, { type: 'vaultDeposit', vault, usdc: '90000' }],
      [5 * day, { type: 'vaultWithdraw', vault, user: addressOf(1), requestedUsd: '91000', commission: '900', closingCost: '100', basis: '90000', netWithdrawnUsd: '90000' }]), gain(1, 5_000), worth(1, 6 * day, 105_000))
    const { metrics } = await judged(1)
    near(metrics['capital_usd'], 10_000)
    near(metrics['twr'], 0.5)
  })

  it('USDC that is sent counts at its end on the venue\'s own dex: to oneself on spot it goes, from others it comes', async () => {
    const send = (user: string, destination: string, sourceDex: string, destinationDex: string, amount: string, token = 'USDC') => ({ type: 'send', user, destination, sourceDex, destinationDex, token, amount, usdcValue: amount, fee: '0', nativeTokenFee: '0', nonce: 1, feeToken: '' })
    const me = addressOf(2)
    await hear(ledger(2, [0, { type: 'deposit', usdc: '20000' }], [hour, send(me, me, '', 'spot', '10000')], [hour + minute, send(me, me, 'spot', 'xyz', '4000')], [hour + 2 * minute, send(other, me, 'spot', 'spot', '70')],
      [hour + 3 * minute, send(other, me, '', '', '500')], [hour + 4 * minute, send(me, other, '', '', '500')], [hour + 5 * minute, send(other, me, '', '', '9', 'HYPE:0x0d01dc56dcaaca66ad901c959b4011ec')]), gain(2, 1_000), worth(2, 6 * day, 11_000))
    near((await judged(2)).metrics['capital_usd'], 10_000)
    near((await judged(2)).metrics['twr'], 0.1)
  })

  it('of whom no money was ever told it is not known what was made of it, whatever the account is worth', async () => {
    await hear(gain(3, 1_000), worth(3, 6 * day, 515_000))
    const { metrics } = await judged(3)
    assert.deepEqual(['capital_usd', 'twr', 'roi', 'put_in_usd', 'max_drawdown'].filter((name) => name in metrics), [])
  })

  it('nor of whom a change was told without its amount, before what the account was worth or after', async () => {
    const vault = addressOf(90)
    const changes: [number, object][] = [[hour, { type: 'deposit', usdc: 'abc' }], [hour, { type: 'withdraw', usdc: '', nonce: 1, fee: '1' }], [hour, { type: 'vaultWithdraw', vault, user: addressOf(33), basis: '1' }], [hour, { type: 'vaultCreate', vault, usdc: '100', fee: 'x' }],
      [hour, { type: 'send', user: other, destination: addressOf(35), sourceDex: '', destinationDex: '', token: 'USDC', amount: '-' }], [7 * day, { type: 'deposit', usdc: 'abc' }]]
    await hear(...changes.flatMap((change, nth) => [ledger(31 + nth, [0, { type: 'deposit', usdc: '10000' }], change), gain(31 + nth, 1_000), worth(31 + nth, 6 * day, 11_000)]))
    for (const [nth] of changes.entries()) {
      const { metrics } = await judged(31 + nth)
      assert.deepEqual(['roi', 'put_in_usd', 'put_in_year_usd'].filter((name) => name in metrics), [], String(nth))
    }
  })

  it('a gap in the account\'s own fills is a truncated history, until all was told', async () => {
    const open = { channel: 'history', coin: addressOf(4), from: 0, to: 0, reason: 'x' }
    // Another's is over: that says nothing of this one.
    await hear(gap({ ...open, state: 'waits' }), gap({ ...open, coin: other, state: 'over' }), gain(4, 100))
    assert.deepEqual((await judged(4)).flags, ['history_truncated'])
    await hear(gap({ ...open, state: 'over' }), gain(4, 100, 3 * day))
    assert.deepEqual((await judged(4)).flags, [])
    await hear(gap({ ...open, channel: 'userFills', from: start, to: start + day }), gain(4, 100, 4 * day))
    assert.deepEqual((await judged(4)).flags, ['history_truncated'])
  })

  it('the share of funding that was heard: what was not is in no profit', async () => {
    const paid = (nth: number, ...hours: number[]) => infoAnswer({ type: 'userFunding', user: addressOf(nth) }, hours.map((at) => ({ time: start + at * hour + 5, hash: `0x${'cd'.repeat(32)}`, delta: { type: 'funding', coin: 'BTC', usdc: '-3', szi: '10', fundingRate: '0.0000125', nSamples: null } })))
    const held = (nth: number) => file(roundTrip(nth, 1, { at: 30 * minute, hold: 2 * hour, exit: 110, size: 10 }))
    await hear(held(5), paid(6, 1), held(6), paid(7, 1, 2), held(7))
    assert.deepEqual(await Promise.all([5, 6, 7].map(async (nth) => (await judged(nth)).metrics['funding_known'])), [0, 0.5, 1])
    near((await judged(7)).metrics['net_usd'], 94)
  })

  it('payments are due as long as a position is open, not up to its last fill', async () => {
    const paid = infoAnswer({ type: 'userFunding', user: addressOf(8) }, [1, 2].map((at) => ({ time: start + at * hour + 5, hash: `0x${'cd'.repeat(32)}`, delta: { type: 'funding', coin: 'BTC', usdc: '-3', szi: '10', fundingRate: '0.0000125', nSamples: null } })))
    // Two hours of a position that is over, both told; two of one that is open when the venue was heard last, neither.
    const open = roundTrip(8, 2, { at: 9 * day - 30 * minute, hold: hour, exit: 110, coin: 'ETH' })[0]
    await hear(paid, file([...roundTrip(8, 1, { at: 30 * minute, hold: 2 * hour, exit: 110, size: 10 }), open]), file(roundTrip(9, 1, { at: 9 * day, hold: 90 * minute, exit: 100 })))
    assert.equal((await judged(8)).metrics['funding_known'], 0.5)
  })

  it('so they are of one that was filled last before the window: those within it, and nothing else of it counts', async () => {
    const own = await openJudging(), hours = 90 * 24
    const paid = infoAnswer({ type: 'userFunding', user: addressOf(8) }, [-100 * 24, 1, 2, 3].map((at) => ({ time: start + at * hour + 5, hash: `0x${'cd'.repeat(32)}`, delta: { type: 'funding', coin: 'ETH', usdc: '-3', szi: '10', fundingRate: '0.0000125', nSamples: null } })))
    const [bought, sold] = roundTrip(8, 1, { at: -200 * day, hold: day, exit: 110, size: 10, coin: 'ETH' }), part = [sold?.[0], { ...sold?.[1], sz: '5', closedPnl: '50' }]
    await own.hear(paid, file([bought, part, ...roundTrip(8, 2, { at: 2 * day, hold: 2 * hour, exit: 120, fee: 1 }), ...roundTrip(9, 1, { at: 2 * day, hold: 2 * hour, exit: 120 })]))
    const { metrics } = await own.judged(8)
    near(metrics['funding_known'], 3 / (hours + 2))
    for (const [name, usd] of Object.entries({ funding_usd: -9, net_usd: 18 - 9, gross_usd: 20, fees_usd: 2, typical_usd: 120, trips: 1 })) near(metrics[name], usd)
    assert.equal((await own.judged(9)).metrics['funding_known'], 0)
  })
})
