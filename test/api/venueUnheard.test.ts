/** What lies before a venue was heard, or in a time that nobody listened, is told as not known: never as none. */
import assert from 'node:assert/strict'
import { openCoverage } from '../../api/coverage.js'
import { knownSince, unknownOf, withUnknown, type Dealt } from '../../api/known.js'
import type { Store } from '../../schemas/clickhouse.js'
import { listMigrations } from '../../schemas/migrations.js'
import { freshStore } from '../support/servers.js'
import { digest, infoAnswer, insertHeard, message } from '../support/hyperliquid.js'
import { addressOf, day, file, hour, minute } from '../support/traders.js'
import { startService, type Service } from './support/service.js'

const gap = { is_successful_empty: false, empty_reason: 'data_gap' }, none = { is_successful_empty: true, empty_reason: 'no_signal' }
let ids = 0
const told = (coin: string, at: number) => ({ coin, side: 'A', px: '100.0', sz: '1.0', time: at, hash: `0x${'cd'.repeat(32)}`, tid: ids += 1, users: [addressOf(2), addressOf(3)] })
/** A trade that was heard as it was said. */
const live = (at: number, coin = 'BTC') => message('trades', [told(coin, at)], {}, at + 500)
const lost = (channel: string, coin: string, from: number, to: number, at: number) => ({ kind: 'gap' as const, payload: JSON.stringify({ channel, coin, from, to, reason: 'cut' }), at })
const fill = (at: number) => [addressOf(1), { coin: 'BTC', px: '100000', sz: '0.1', side: 'B', time: at, startPosition: '0', dir: 'Open Long', closedPnl: '0', hash: `0x${'ab'.repeat(32)}`, oid: ids, tid: ids += 1, crossed: true, fee: '0', feeToken: 'USDC' }]
const head = (store: Store): Promise<void> => store.insert('heads', [{ chain: 'HL', number: 1, hash: 'x', block_time: new Date().toISOString(), finalized: 1, endpoint: 'venue', observed_at: new Date().toISOString() }])

describe('times of a venue that are not known', () => {
  const opened = async () => {
    const { store } = await freshStore()
    let segment = 0
    return {
      hear: async (...heard: Parameters<typeof insertHeard>[2]): Promise<void> => { segment += 1; await insertHeard(store, segment, heard); await digest(store, segment, segment) },
      again: async (): Promise<void> => { for (const statement of listMigrations().find(({ id }) => id.startsWith('0049'))?.statements ?? []) await store.execute(statement) },
      view: () => openCoverage(store).view(),
    }
  }
  const now = Date.now(), at = now - 10 * day

  it('are all before the first trade that was heard live: the last trades of each coin, which come with an answer or a first word, reach back further and say nothing', async () => {
    const { hear, view } = await opened()
    assert.deepEqual(unknownOf(await view(), 'HL', at, now), [{ from: at, to: now }])
    await hear(infoAnswer({ type: 'recentTrades', coin: 'BTC' }, [told('BTC', at)], now - hour), message('trades', [told('OLD', at + hour)], {}, now - hour), live(now - hour))
    const seen = await view()
    assert.deepEqual([knownSince(seen, 'HL'), unknownOf(seen, 'HL', at, now), unknownOf(seen, 'HL', now - hour, now)], [now - hour, [{ from: at, to: now - hour }], []])
    const status = { chain: 'HL', tier: 'perps-only', data_fresh: true, pipeline: 'perps-only', node: 'venue', warnings: ['first'] } as const
    const said = (since: number, until = now, dealt?: Dealt) => withUnknown({ ...status, warnings: [...status.warnings] }, seen, 'HL', since, until, dealt).warnings
    assert.deepEqual(said(now - day), ['first', `Of the 24 h asked about, the trades of 23 h are not known, those before ${new Date(now - hour).toISOString()} among them`])
    assert.deepEqual([said(now - hour), said(at, at + hour)], [['first'], ['first', 'Of the 60 min asked about, the trades of 60 min are not known']])
  })

  it('are none from where files tell, whenever those are read; an hour without a word in them is missing, a day in what is listened to', async () => {
    const { hear, view, again } = await opened()
    await hear(file([fill(at), fill(at + 50 * minute), fill(at + 3 * hour), fill(at + 200 * minute)]), live(at + 5 * hour), live(at + 20 * hour), live(now - minute))
    // What stands when it is first kept is read from what was dealt; twice changes nothing.
    await again()
    const seen = await view()
    assert.deepEqual(unknownOf(seen, 'HL', at - hour, now), [
      { from: at - hour, to: at }, { from: at + 50 * minute, to: at + 3 * hour }, { from: at + 200 * minute, to: at + 5 * hour }, { from: at + 20 * hour, to: now - minute },
    ])
    // Of the fills of all accounts files alone tell.
    assert.deepEqual(unknownOf(seen, 'HL', at + 3 * hour, now - minute, 'fills'), [{ from: at + 200 * minute, to: now - minute }])
  })

  it('are the gaps, however old, each once; of those of the last day coverage tells anyway', async () => {
    const { hear, view } = await opened()
    await hear(...Array.from({ length: 20 }, (_, nth) => live(at + nth * 12 * hour)), live(now - minute), lost('history', addressOf(1), 0, now - hour, now))
    await hear(lost('trades', 'BTC', at + hour, at + 21 * hour, at + 21 * hour), lost('userFills', addressOf(1), at + 20 * hour, at + 22 * hour, at + 22 * hour), lost('l2Book', 'BTC', at, at + 40 * hour, at + 41 * hour), lost('all', '', now - 2 * hour, now - hour, now - hour))
    const seen = await view()
    assert.deepEqual(unknownOf(seen, 'HL', at, now), [{ from: at + hour, to: at + 22 * hour }, { from: now - 2 * hour, to: now - hour }])
    const status = { chain: 'HL', tier: 'perps-only', data_fresh: true, pipeline: 'perps-only', node: 'venue', warnings: [] } as const
    const said = (since: number) => withUnknown({ ...status, warnings: [] }, seen, 'HL', since, now).warnings
    assert.deepEqual([said(at), said(now - 7 * day)], [['Of the 10 days asked about, the trades of 22 h are not known'], []])
  })
})

describe('what is asked about times that are not known', function () {
  this.timeout(90_000)
  let service: Service, segment = 0
  const begun = Date.now() - 40 * minute
  const get = async (path: string): Promise<any> => { const { status, body, text } = await service.call(`GET /v1/${path}`); assert.equal(status, 200, `${path} ${text}`); return body }
  const hear = async (...heard: Parameters<typeof insertHeard>[2]): Promise<void> => { segment += 1; await insertHeard(service.store, segment, heard); await digest(service.store, segment, segment) }
  before(async () => {
    service = await startService()
    await hear(infoAnswer({ type: 'recentTrades', coin: 'BTC' }, [told('BTC', begun - 3 * hour)]), ...Array.from({ length: 8 }, (_, nth) => live(begun + nth * 5 * minute)), live(begun, 'ETH'))
    await head(service.store)
  })
  after(() => service.stop())

  const window = (body: any): string[] => body.coverage_status.warnings.filter((one: string) => one.includes('asked about'))

  it('is a gap where nothing comes, and said of what does', async () => {
    assert.deepEqual((await get('feed/hl/recent?hours=1&min_usd=100000000'))._meta.empty, gap)
    const week = await get('feed/hl/recent?hours=168&min_usd=0')
    assert.equal(week.events.length, 10)
    assert.match(window(week)[0] ?? '', /^Of the 7 days asked about, the trades of 7 days are not known, those before .* among them$/)
    for (const times of ['since=2025-01-01T00:00:00Z&until=2025-02-01T00:00:00Z', 'until=2025-02-01T00:00:00Z', 'since=2025-01-01T00:00:00Z']) assert.deepEqual((await get(`whales/recent?chain=HL&min_usd=100000000&${times}`))._meta.empty, gap, times)
    assert.deepEqual((await get(`whales/recent?chain=HL&min_usd=100000000&since=${new Date(begun + minute).toISOString()}`))._meta.empty, none)
    assert.equal(window(await get('whales/recent?chain=HL&since=2025-01-01T00:00:00Z')).length, 1)
  })

  it('has no zeros: sums begin when the venue was heard, buckets before are left out', async () => {
    const { pulse, ...answer } = await get('feed/hl/pulse?hours=24')
    assert.deepEqual([Date.parse(pulse.from), pulse.trades, window(answer).length], [begun - 1, 9, 1])
    const { flow, count, buckets } = await get('feed/hl/flow-history?coin=ETH&buckets=48')
    // Buckets are of the clock: as many as it counts since, by when it was asked.
    const since = Math.floor(Date.now() / (5 * minute)) - Math.floor(begun / (5 * minute)) + 1
    assert.ok(Math.abs(flow.length - since) <= 1 && count === flow.length && buckets === 48, `${flow.length} of ${since}`)
    assert.ok(flow.every(({ start }: any) => Date.parse(start) > begun - 5 * minute))
    assert.equal(flow.reduce((sum: number, { trades }: any) => sum + trades, 0), 1)
    // A trade is known also of a time that is not.
    assert.equal((await get('feed/hl/flow-history?coin=BTC&buckets=48')).flow[0].trades, 1)
  })

  it('nor are there any in a gap of the coin', async () => {
    const start = Math.floor((Date.now() - 12 * minute) / (5 * minute)) * 5 * minute
    await hear(lost('trades', 'ETH', start + minute, start + 2 * minute, Date.now()), lost('trades', 'BTC', start - 5 * minute, start - 4 * minute, Date.now()))
    const starts = async (coin: string): Promise<number[]> => (await get(`feed/hl/flow-history?coin=${coin}&buckets=47`)).flow.map((one: any) => Date.parse(one.start))
    const [eth, btc] = [await starts('ETH'), await starts('BTC')]
    assert.deepEqual([eth.includes(start), eth.includes(start - 5 * minute), btc.includes(start)], [false, true, true])
  })

  it('nor of a coin whose trades nobody asked to hear, though its middle price is heard with all others', async () => {
    const at = Date.now() - minute, flow = async (coin: string): Promise<any> => get(`feed/hl/flow-history?coin=${coin}&buckets=3`)
    const context = message('activeAssetCtx', { coin: 'QUIET', ctx: { funding: '0.0000125', openInterest: '1.0', prevDayPx: '80.0', dayNtlVlm: '0.0', premium: '0.0', oraclePx: '80.0', markPx: '80.0', midPx: '80.0', impactPxs: null, dayBaseVlm: '0.0' } }, {}, at)
    await hear(message('allMids', { mids: { APART: '80.0', QUIET: '80.0' } }, {}, at), context)
    const apart = await flow('APART'), quiet = await flow('QUIET')
    assert.deepEqual([apart.flow, apart._meta.empty], [[], gap])
    // What is asked to be heard tells its context, too: that nobody traded it is known.
    assert.deepEqual(quiet.flow.map(({ trades }: any) => trades), [0, 0, 0])
  })

  it('nor of other coins by what a generator made of its own, nor of those after the last of it', async () => {
    const at = Date.now() - 8 * minute, time = new Date(at).toISOString(), bucket = Math.floor(at / (5 * minute)) * 5 * minute
    await service.store.execute("INSERT INTO hl_fills (chain, block_number, source, heard_at, coin, market, account, time, tid) SELECT 'HL', 1, 'synthetic', now64(3), 'SYN-ONE', 'perp', '', parseDateTime64BestEffort({time:String}, 3, 'UTC'), 1", { time })
    await service.store.execute("INSERT INTO hl_contexts (chain, block_number, source, heard_at, coin, market, dex, place, time, mark_px) SELECT 'HL', 1, 'synthetic', now64(3), 'SYN-ONE', 'perp', '', 0, parseDateTime64BestEffort({time:String}, 3, 'UTC'), 1", { time })
    const apart = await get('feed/hl/flow-history?coin=APART&buckets=3'), { flow } = await get('feed/hl/flow-history?coin=SYN-ONE&buckets=5')
    assert.deepEqual([apart.flow, apart._meta.empty], [[], gap])
    assert.deepEqual([Date.parse(flow.at(-1)?.start), flow.every(({ trades }: any) => trades === 0), flow.length < 5], [bucket, true, true])
  })
})
