/** Positions from flat to flat, by ledgers worked out by hand. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { computeTraders } from '../../stages/traders/computeTraders.js'
import { digest, infoAnswer, insertHeard, message, type Heard } from '../support/hyperliquid.js'
import { freshStore } from '../support/servers.js'

const account = `0x${'a1'.repeat(20)}`, other = `0x${'b2'.repeat(20)}`, hash = `0x${'ab'.repeat(32)}`
const start = Date.UTC(2025, 4, 1, 10), minute = 60_000
const Trip = z.object({}).loose()

/** One fill: minutes after the start, trade id, signed size, price, signed size held before. */
const fill = (at: number, tid: number, delta: number, px: string, before: string, more: object = {}) => [account, {
  coin: 'BTC', px, sz: String(Math.abs(delta)), side: delta > 0 ? 'B' : 'A', time: start + at * minute, startPosition: before, dir: 'Open Long', closedPnl: '0.0', hash, oid: tid, crossed: true, fee: '1.0', tid, feeToken: 'USDC', ...more,
}]
const file = (fills: readonly unknown[]): Heard => ({ kind: 'node_fills', payload: fills.map((one) => JSON.stringify(one)).join('\n') })

describe('positions from flat to flat', function () {
  this.timeout(120_000)
  let store: Store, segment = 0
  beforeEach(async () => { store = (await freshStore()).store; segment = 0 })
  const hear = async (...heard: Heard[]) => { segment += 1; await insertHeard(store, segment, heard); await digest(store, segment, segment) }
  const run = () => computeTraders(store, { chain: 'HL', upto: segment })
  const trips = (columns: string) => store.query(`SELECT ${columns} FROM hl_trips FINAL WHERE chain = 'HL' AND account = toFixedString(unhex({account:String}), 20) ORDER BY coin, opened_at, tid, part`, { account: account.slice(2) }, Trip)

  it('entry and exit by size, gross by own prices, net after fees and funding, held by size', async () => {
    // Bought 1 at 100 and 3 at 104: entry 103. Sold 2 at 110 (+14) and 2 at 101 (-4): gross 10. Fees 4. Paid 0.75, got 0.25: funding -0.5.
    await hear(file([fill(0, 1, 1, '100', '0'), fill(10, 2, 3, '104', '1', { crossed: false, fee: '-0.5' }), fill(70, 3, -2, '110', '4', { fee: '2.5' }), fill(130, 4, -2, '101', '2')]),
      infoAnswer({ type: 'userFunding', user: account }, [[60, '-0.75'], [120, '0.25'], [180, '9']].map(([at, usdc]) => ({ time: start + Number(at) * minute, hash, delta: { type: 'funding', coin: 'BTC', usdc, szi: '4', fundingRate: '0.0000125', nSamples: null } }))))
    assert.notEqual(await run(), null)
    assert.deepEqual(await trips(`side, state, gap, clean, flipped, toString(entry_px) AS entry, toString(exit_px) AS exit, toString(gross) AS gross, toString(fees) AS fees, toString(funding) AS funding, toString(net) AS net, hold_seconds, fills, added, added_badly, fundings, hours, maker_usd, volume_usd, largest_usd`), [{
      side: 'long', state: 'closed', gap: 'none', clean: true, flipped: false, entry: '103', exit: '105.5', gross: '10', fees: '4', funding: '-0.5', net: '5.5', hold_seconds: (2 * 70 + 2 * 130 - 0 - 30) * 60 / 4, fills: 4, added: 1, added_badly: 0, fundings: 2, hours: 2, maker_usd: 312, volume_usd: 834, largest_usd: 440,
    }])
    assert.equal(await run(), null)
  })

  const short = `side, state, gap, flipped, toInt32(dateDiff('minute', fromUnixTimestamp64Milli({start:Int64}, 'UTC'), opened_at)) AS opened, if(closed_at IS NULL, NULL, toNullable(toInt32(dateDiff('minute', opened_at, assumeNotNull(closed_at))))) AS lasted, toString(gross) AS gross, toString(fees) AS fees, toString(held) AS held, fills`
  const shortly = async (whose = account) => (await store.query(`SELECT ${short} FROM hl_trips FINAL WHERE account = toFixedString(unhex({account:String}), 20) ORDER BY coin, opened_at, part, tid`, { account: whose.slice(2), start }, Trip)).map((trip) => Object.values(trip))
  const flips = [fill(0, 1, 2, '100', '0'), fill(1, 2, -5, '110', '2', { fee: '2.5' }), fill(2, 3, 3, '90', '-3'), fill(3, 4, 1, '95', '0', { fee: '0.3' })]
  // Long 2 from 100 to 110; short 3 from 110 to 90, the fee of 2.5 shared 2 : 3; long 1 that is open.
  const flipped = [['long', 'closed', 'none', true, 0, 1, '20', '2', '0', 2], ['short', 'closed', 'none', false, 1, 1, '60', '2.5', '0', 2], ['long', 'open', 'none', false, 3, null, '0', '0.3', '1', 1]]

  it('a flip ends one and begins another, its fill split by size; what is open says what is held', async () => {
    await hear(file(flips))
    await run()
    assert.deepEqual(await shortly(), flipped)
  })

  it('heard in any order, in any cut, again and again, it is the same', async () => {
    // An account for each order: what is first is heard again with all that follows.
    const orders = [[3, 2, 1, 0], [1, 3, 0, 2], [0, 2, 3, 1], [2, 0, 1, 3]]
    const of = (nth: number, which: number | undefined) => [`0x${`c${nth}`.repeat(20)}`, flips[which ?? 0]?.[1]]
    for (let step = 0; step < 4; step += 1) { await hear(file(orders.map((order, nth) => of(nth, order[step]))), file(orders.map((order, nth) => of(nth, order[0])))); await run() }
    for (const [nth, order] of orders.entries()) assert.deepEqual(await shortly(`0x${`c${nth}`.repeat(20)}`), flipped, order.join())
    await hear(file(orders.flatMap((_, nth) => flips.map((_one, which) => of(nth, which)))))
    assert.equal(await run(), null)
  })

  it('what was held before the first fill is not known: the venue says what closing earned, and it counts as truncated', async () => {
    await hear(file([fill(0, 1, -1, '110', '3', { closedPnl: '7.25' }), fill(1, 2, -2, '120', '2', { closedPnl: '34.5' }), fill(2, 3, 1, '100', '0'), fill(3, 4, -1, '101', '1', { closedPnl: '1.0' })]))
    await run()
    assert.deepEqual(await shortly(), [['long', 'closed', 'start', false, 0, 1, '41.75', '2', '0', 2], ['long', 'closed', 'none', false, 2, 1, '1', '2', '0', 2]])
    assert.deepEqual(await trips('entry_px, hold_seconds, worst, toString(exit_px) AS exit'), [{ entry_px: null, hold_seconds: null, worst: null, exit: '116.666666666666666666' }, { entry_px: '100', hold_seconds: 60, worst: null, exit: '101' }].map((row) => ({ ...row, entry_px: row.entry_px === null ? null : Number(row.entry_px) })))
  })

  it('fills that lack in the middle, or at the end, are told; hearing them late mends it', async () => {
    const whole = [fill(0, 1, 1, '100', '0'), fill(1, 2, 1, '102', '1'), fill(2, 3, -2, '105', '2', { closedPnl: '8' }), fill(3, 4, -1, '50', '0'), fill(4, 5, 1, '40', '-1', { closedPnl: '10' }), fill(5, 6, 1, '60', '0')]
    await hear(file([whole[0], whole[2], whole[3], whole[5]]))
    await run()
    assert.deepEqual(await shortly(), [['long', 'closed', 'middle', false, 0, 2, '8', '2', '0', 2], ['short', 'lost', 'none', false, 3, null, '0', '1', '-1', 1], ['long', 'open', 'none', false, 5, null, '0', '1', '1', 1]])
    await hear(file([whole[1], whole[4]]))
    await run()
    assert.deepEqual(await shortly(), [['long', 'closed', 'none', false, 0, 2, '8', '3', '0', 3], ['short', 'closed', 'none', false, 3, 1, '10', '2', '0', 2], ['long', 'open', 'none', false, 5, null, '0', '1', '1', 1]])
    assert.equal((await store.query('SELECT count() AS count FROM hl_trips FINAL', {}, z.object({ count: z.coerce.number() })))[0]?.count, 3)
  })

  it('fills of one moment are laid end to end, wherever they begin and come round to', async () => {
    // In one moment: 2 sold of 2, 3 bought from flat, sold again, 1 sold short. Trade ids say nothing of their order.
    await hear(file([fill(0, 50, 2, '100', '0'), fill(1, 9, -2, '110', '2'), fill(1, 3, 3, '111', '0'), fill(1, 7, -3, '112', '3'), fill(1, 1, -1, '113', '0'), fill(2, 60, 1, '110', '-1')]))
    await run()
    assert.deepEqual((await shortly()).map(([side, state, gap, , opened, lasted, gross]) => [side, state, gap, opened, lasted, gross]), [
      ['long', 'closed', 'none', 0, 1, '20'], ['long', 'closed', 'none', 1, 0, '3'], ['short', 'closed', 'none', 1, 1, '3'],
    ].sort((a, b) => Number(a[3]) - Number(b[3]) || String(b[0]).localeCompare(String(a[0]))))
  })

  it('a round trip of one moment at one price is no trade with oneself: that has one id', async () => {
    // Short 1; in one moment it is bought back, sold again, and another sold, all at 100.
    await hear(file([fill(0, 1, -1, '101', '0'), fill(1, 8, 1, '100', '-1'), fill(1, 6, -1, '100', '0'), fill(1, 4, -1, '100', '-1'), fill(2, 60, 2, '90', '-2')]),
      // The same account sells itself what it holds: closed at 100, opened anew at 100.
      file([fill(0, 1, -1, '101', '0', { coin: 'ETH' }), fill(1, 9, 1, '100', '-1', { coin: 'ETH' }), fill(1, 9, -1, '100', '-1', { coin: 'ETH' }), fill(2, 60, 1, '90', '-1', { coin: 'ETH' })]))
    await run()
    assert.deepEqual((await shortly()).map(([side, state, gap, , opened, lasted, gross]) => [side, state, gap, opened, lasted, gross]), [
      ['short', 'closed', 'none', 0, 1, '1'], ['short', 'closed', 'none', 1, 1, '20'], ['short', 'closed', 'none', 0, 1, '1'], ['short', 'closed', 'none', 1, 1, '10'],
    ])
  })

  it('liquidations are the victim\'s, whoever else\'s fill names them; spot is no position, perps that others list are apart', async () => {
    const named = { liquidation: { liquidatedUser: other, markPx: '90', method: 'market' } }
    const own = { liquidation: { liquidatedUser: account, markPx: '90', method: 'market' }, dir: 'Liquidated Cross Long' }
    await hear(file([fill(0, 1, 1, '100', '0'), fill(1, 2, -1, '90', '1', own), fill(2, 3, 1, '90', '0', named), fill(3, 4, -1, '91', '1', { dir: 'Auto-Deleveraging' }),
      fill(0, 5, 1, '10', '0', { coin: '@107', dir: 'Buy' }), fill(0, 6, 1, '10', '0', { coin: 'xyz:AAPL' }), fill(1, 7, -1, '12', '1', { coin: 'xyz:AAPL' })]))
    await run()
    assert.deepEqual((await trips('coin, market, toString(gross) AS gross, forced, adl')).map((trip) => Object.values(trip)), [['BTC', 'perp', '-10', 1, 0], ['BTC', 'perp', '1', 0, 1], ['xyz:AAPL', 'dex', '2', 0, 0]])
  })

  it('the worst and the best of prices while it was open: of full minutes within and of its own fills', async () => {
    const trade = (at: number, tid: number, px: string) => ({ coin: 'BTC', side: 'B', px, sz: '1', time: start + at * minute, hash, tid, users: [other, other] })
    // Open from 10 to 700.5: what was paid at 9 and in the last, unfinished minute is not within.
    await hear(message('trades', [trade(9, 100, '10'), trade(11, 101, '98'), trade(300.5, 102, '130'), trade(650, 103, '91'), trade(700.2, 104, '500')]))
    await hear(file([fill(10, 1, 1, '100', '0'), fill(700.5, 2, -1, '90', '1'), fill(800, 3, -1, '90', '0'), fill(800.5, 4, 1, '91', '-1')]))
    await run()
    assert.deepEqual((await trips('round(worst, 9) AS worst, round(best, 9) AS best')).map((trip) => Object.values(trip)), [[0.1, 0.3], [null, null]])
  })

  it('what no market reaches fails no run, neither heard nor where it stood before it was refused', async () => {
    const usual = [fill(10, 1, 1, '100', '0'), fill(20, 2, -1, '110', '1')]
    const whales = `0x${'d4'.repeat(20)}`
    const absurd = [fill(30, 3, 1e10, '1', '0', { coin: 'ETH' }), fill(40, 4, -1e10, '1000000000000000', '10000000000', { coin: 'ETH' })]
    await hear(file([...usual, ...absurd, ...absurd.map(([, one]) => [whales, one])]))
    assert.notEqual(await run(), null)
    const closed = ['long', 'closed', 'none', false, 10, 10, '10', '2', '0', 2], open = ['long', 'open', 'none', false, 30, null, '0', '1', '10000000000', 1]
    assert.deepEqual([await shortly(), await shortly(whales)], [[closed, open], [open]])
    // As they stood: what is beyond all bounds in a perp and in a spot pair, and what was paid.
    const stored = (nth: number, coin: string, market: string, side: string, amounts: readonly string[]) => store.execute(`INSERT INTO hl_fills (chain, block_number, source, heard_at, coin, market, time, tid, account, side, px, sz, start_position, closed_pnl, fee, dir, generation)
      SELECT 'HL', {segment:UInt64}, 'node_fills', now64(3), {coin:String}, {market:String}, fromUnixTimestamp64Milli({time:Int64}, 'UTC'), {nth:UInt64}, toFixedString(unhex({account:String}), 20), {side:String}, toDecimal128({px:String}, 18), toDecimal128({sz:String}, 18), toDecimal128({before:String}, 18), toDecimal128({pnl:String}, 18), toDecimal128({fee:String}, 18), 'x', 0`,
    { segment, coin, market, time: start + nth * minute, nth, account: account.slice(2), side, px: amounts[0], sz: amounts[1], before: amounts[2], pnl: amounts[3], fee: amounts[4] })
    const huge = '99999999999999999999'
    await hear(file([fill(200, 200, 1, '100', '0'), fill(210, 201, -1, '120', '1')]))
    await stored(50, 'SOL', 'perp', 'buy', ['1', '10000000000', '0', '0', '0'])
    await stored(60, 'SOL', 'perp', 'sell', ['1000000000000000', '10000000000', '10000000000', '0', '0'])
    await stored(70, 'XRP', 'perp', 'buy', [huge, huge, huge, huge, `-${huge}`])
    await stored(71, 'XRP', 'perp', 'buy', ['1', '1', '0', huge, `-${huge}`])
    await stored(80, '@107', 'spot', 'buy', [huge, huge, huge, huge, `-${huge}`])
    for (const at of [15, 16]) await store.execute(`INSERT INTO hl_funding_payments (chain, block_number, heard_at, coin, market, time, account, usdc, generation) SELECT 'HL', {segment:UInt64}, now64(3), 'BTC', 'perp', fromUnixTimestamp64Milli({time:Int64}, 'UTC'), toFixedString(unhex({account:String}), 20), toDecimal128('-80000000000000000000', 18), 0`, { segment, time: start + at * minute, account: account.slice(2) })
    assert.notEqual(await run(), null)
    assert.deepEqual(await shortly(), [closed, ['long', 'closed', 'none', false, 200, 10, '20', '2', '0', 2], open, ['long', 'open', 'none', false, 50, null, '0', '0', '10000000000', 1]])
    assert.deepEqual((await trips('toString(net) AS net')).slice(0, 2), [{ net: '8' }, { net: '18' }])
    assert.equal(await run(), null)
  })

  it('a turn of the largest size at the largest fee shares it to the last digit, and fails no run', async () => {
    await hear(file([fill(0, 1, 3e17, '0.0000001', '-100000000000000000', { fee: '100000000000' }), fill(0, 2, 1, '100', '-2', { coin: 'ETH', fee: '-0.3' }), fill(1, 3, 4, '100', '-1', { coin: 'ETH', fee: '-0.3' })]))
    assert.notEqual(await run(), null)
    assert.deepEqual((await trips('coin, side, state, toString(fees) AS fees')).map((trip) => Object.values(trip)), [['BTC', 'short', 'closed', '33333333333.333333333333333333'], ['BTC', 'long', 'open', '66666666666.666666666666666667'], ['ETH', 'short', 'closed', '-0.375'], ['ETH', 'long', 'open', '-0.225']])
  })

  it('goes on from where the account was flat: what was walked before stays as it is', async () => {
    await hear(file(flips.slice(0, 3)))
    await run()
    const [before] = await trips('version')
    await hear(file(flips.slice(3)))
    await hear(file([fill(10, 9, -1, '99', '1', { fee: '0.7' })]))
    await run()
    assert.deepEqual((await shortly()).map(([side, state, , , , , gross, fees]) => [side, state, gross, fees]), [['long', 'closed', '20', '2'], ['short', 'closed', '60', '2.5'], ['long', 'closed', '4', '1']])
    await hear(file([fill(20, 10, 1, '99', '0')]))
    await run()
    const versions = (await trips('version')).map(({ version }) => version)
    assert.ok(before !== undefined && versions[0] === versions[1] && versions[1] !== versions[2] && versions[2] === versions[3])
  })
})
