/** What no stream says is asked for: by whom it is wanted, from where it was told last, and what fails leaves the rest its turn. */
import assert from 'node:assert/strict'
import { allRecordings, recordedAccounts } from '../../../scripts/replay-node/hyperliquid/recorded.js'
import { startVenue } from '../../../scripts/replay-node/hyperliquid/server.js'
import { openAsks, type Before } from '../../../stages/ingest/hyperliquid/asks.js'
import type { Heard } from '../../../stages/ingest/hyperliquid/journal.js'
import { openRest } from '../../../stages/ingest/hyperliquid/rest.js'
import { until } from '../../support/pipeline.js'

type Question = Readonly<Record<string, unknown>>
const hour = 3_600_000, child = `0x${'c1'.repeat(20)}`

describe('what is asked of Hyperliquid beside its streams', function () {
  this.timeout(60_000)
  /** Listens with the slow questions sped up until `enough`; what was asked, what failed and what was heard. */
  const asking = async (answer: (asked: Question) => unknown, accounts: string[], speed: number, enough: (asked: readonly Question[], heard: readonly Heard[]) => boolean, coins = ['BTC', 'ETH', 'DYDX'], before: Partial<Before> = {}) => {
    const asked: Question[] = [], failed: string[] = [], heard: Heard[] = []
    const venue = await startVenue({ answer: (question) => { asked.push(question); return answer(question) } })
    const rest = openRest(venue.url, 1_000_000, (one) => { heard.push(one) })
    const asks = openAsks({ coins: () => new Set(coins), books: ['DYDX', 'GONE'], accounts, before: { heardLast: Date.now() - 10 * hour, unasked: [], rated: new Set(['BTC', 'ETH', 'DYDX']), ...before }, hear: (one) => { heard.push(one) } }, rest, (reason) => { failed.push(reason) }, speed)
    try { await until(() => Promise.resolve(enough(asked, heard)), 'not everything was asked') } finally { asks.close(); await rest.close(); await venue.close() }
    return { asked, failed, heard, of: (type: string) => asked.filter((one) => one['type'] === type) }
  }

  it('the replay venue answers every one of them, and each answer is kept', async () => {
    const { failed, heard, of } = await asking(() => undefined, recordedAccounts(), 1, (asked) => new Set(asked.map(({ type }) => type)).size >= 8 && asked.some(({ type }) => type === 'vaultDetails') && asked.filter(({ type }) => type === 'clearinghouseState').length >= recordedAccounts().length)
    // Positions were recorded of one account, fills of another: of that one it says that it has none to tell.
    const [fills, positions] = ['userFills', 'clearinghouseState'].map((type) => String(allRecordings().find(({ request }) => request['type'] === type)?.request['user']))
    assert.deepEqual([failed.map((reason) => reason.split(':')[0]), failed.every((reason) => reason.includes('clearinghouseState'))], [[fills], true])
    assert.deepEqual(heard.filter(({ request }) => request.includes('clearinghouseState')).map(({ request, payload }) => [(JSON.parse(request) as Question)['user'], (JSON.parse(String(payload)) as { assetPositions: object[] }).assetPositions.length > 0]), [[positions, true]])
    const kept = new Set(heard.map(({ request }) => (JSON.parse(request) as Question)['type']))
    for (const type of ['predictedFundings', 'fundingHistory', 'userNonFundingLedgerUpdates', 'userFunding', 'candleSnapshot', 'perpDexs', 'vaultSummaries', 'userRole']) assert.ok(kept.has(type), type)
    assert.deepEqual(of('candleSnapshot').map(({ req }) => (req as Question)['coin']), ['DYDX'])
  })

  it('of what fails in the same words again and again it warns once, and anew when it was answered meanwhile', async () => {
    const child = `0x${'c'.repeat(40)}`
    let states = 0
    // The first five fail, the sixth is answered, those after it fail.
    const fails = ({ type }: Question): unknown => (type !== 'clearinghouseState' ? undefined : (states += 1) === 6 ? { assetPositions: [] } : undefined)
    const { failed } = await asking(fails, [child], 300, () => states >= 10, ['BTC'])
    const told = failed.filter((reason) => reason.includes('clearinghouseState'))
    assert.equal(told.length, 2, JSON.stringify(told))
  })

  it('rates of every coin, back over the last silence and page by page, then from where they were told last', async () => {
    const from = Date.now() - 12 * hour
    const rates = ({ type, coin, startTime }: Question): unknown => (type !== 'fundingHistory' ? undefined : Array.from({ length: 700 }, (_, nth) => ({ coin, fundingRate: '0.0000125', premium: '0', time: from + nth * 1_000 })).filter(({ time }) => time >= Number(startTime)).slice(0, 500))
    const { of } = await asking(rates, [], 50_000, (asked) => asked.filter(({ type, coin }) => type === 'fundingHistory' && coin === 'BTC').length >= 3)
    const starts = (coin: string) => of('fundingHistory').filter((one) => one['coin'] === coin).map(({ startTime }) => Math.floor((Number(startTime) - from) / 1_000))
    for (const coin of ['DYDX', 'BTC', 'ETH']) assert.ok(starts(coin).length >= 2, coin)
    const [first = 0, second = 0, third = 0] = starts('BTC')
    assert.ok(Math.abs(first) <= 1 && second >= first + 499 && third === 699, `${first} ${second} ${third}`)
  })

  it('funding that accounts paid while nobody listened, from before the last silence on, then from where it was told last', async () => {
    const at = Date.now() - 9 * hour
    const paid = ({ type, startTime }: Question): unknown => (type !== 'userFunding' ? undefined : [{ time: at, hash: `0x${'00'.repeat(32)}`, delta: { type: 'funding', coin: 'BTC', usdc: '-1.5', szi: '1', fundingRate: '0.0000125', nSamples: null } }].filter(({ time }) => time >= Number(startTime)))
    const { of } = await asking(paid, [child], 100_000, (asked) => asked.filter(({ type }) => type === 'userFunding').length >= 2)
    const [first, second] = of('userFunding')
    assert.deepEqual([first?.['user'], Number(first?.['startTime']) < at - hour, second?.['startTime']], [child, true, at])
  })

  it('rates of thirty days where those of a week are not known', async () => {
    const { of } = await asking(({ type }) => (type === 'fundingHistory' ? [] : undefined), [], 50_000, (asked) => new Set(asked.filter(({ type }) => type === 'fundingHistory').map(({ coin }) => coin)).size === 2, ['BTC', 'DYDX'], { rated: new Set(['BTC']) })
    assert.deepEqual(['BTC', 'DYDX'].map((coin) => Math.round((Date.now() - Number(of('fundingHistory').find((one) => one['coin'] === coin)?.['startTime'])) / hour)), [12, 30 * 24])
  })

  it('fills from before an account was followed, page by page; what the venue does not keep is a gap, and until all was asked for it has yet to be', async () => {
    const [whole, capped, refused] = ['aa', 'bb', 'cc'].map((byte) => `0x${byte.repeat(20)}`) as [string, string, string]
    const from = Date.now() - 5 * hour, kept = { [whole]: 2_500, [capped]: 10_000 }
    const fills = ({ type, user, startTime }: Question): unknown => (type !== 'userFillsByTime' ? undefined : user === refused ? {} : Array.from({ length: kept[String(user)] ?? 0 }, (_, nth) => ({ coin: 'BTC', px: '1', sz: '1', side: 'B', time: from + nth, startPosition: '0', dir: 'Open Long', closedPnl: '0', hash: `0x${'00'.repeat(32)}`, oid: nth, crossed: true, fee: '0', tid: nth, feeToken: 'USDC' })).filter(({ time }) => time >= Number(startTime)).slice(0, 2_000))
    const gaps = (heard: readonly Heard[]) => heard.filter(({ kind }) => kind === 'gap').map(({ payload }) => JSON.parse(String(payload)) as { coin: string; channel: string; from: number; to: number; state?: string })
    const { heard, of } = await asking(fills, [whole], 1, (_, told) => gaps(told).length >= 6, ['BTC'], { unasked: [whole, refused, capped] })
    assert.deepEqual(gaps(heard).map(({ channel, coin, from: begin, to, state }) => [channel, coin, begin, to, state]), [['history', whole, 0, 0, 'waits'], ['history', whole, 0, 0, 'over'], ['history', refused, 0, 0, 'waits'], ['history', capped, 0, 0, 'waits'], ['history', capped, 0, from, undefined], ['history', capped, 0, 0, 'over']])
    // Payments of as long as traders are judged by are asked for with them, and once.
    assert.deepEqual(of('userFunding').map(({ user, startTime }) => [user, Math.round((Date.now() - Number(startTime)) / (24 * hour))]), [[whole, 90], [capped, 90]])
    assert.deepEqual(of('userFillsByTime').filter(({ user }) => user === whole).map(({ startTime }) => startTime), [0, from + 1_999])
  })

  it('positions on every dex whose coins are heard, each with a refusal of its own', async () => {
    const states = ({ type, dex }: Question): unknown => (type !== 'clearinghouseState' || dex === undefined ? undefined : { assetPositions: [] })
    const { failed, of } = await asking(states, [child], 1, (asked) => asked.filter(({ type }) => type === 'clearinghouseState').length >= 3, ['BTC', 'xyz:AAPL', 'xyz:GOLD', 'abc:OIL'])
    assert.deepEqual(of('clearinghouseState').map(({ user, dex }) => [user, dex]), [[child, undefined], [child, 'xyz'], [child, 'abc']])
    assert.deepEqual(failed.map((reason) => reason.split(':')[0]), [child])
  })

  it('vaults below the venue\'s own are asked for too; a refusal leaves the others their turn', async () => {
    const accounts = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`]
    const { failed, of } = await asking(({ type, vaultAddress }) => (type === 'vaultDetails' && vaultAddress !== child ? { name: 'HLP', vaultAddress, relationship: { type: 'parent', data: { childAddresses: [child] } } } : undefined), accounts, 1,
      (asked) => asked.filter(({ type }) => type === 'userRole').length === 2 && asked.some(({ vaultAddress }) => vaultAddress === child))
    assert.equal(of('vaultDetails').length, 2)
    // Nothing is recorded of their positions.
    assert.deepEqual([failed.map((reason) => reason.slice(0, 4)).sort(), of('clearinghouseState').length], [['0xaa', '0xbb'], 2])
  })
})
