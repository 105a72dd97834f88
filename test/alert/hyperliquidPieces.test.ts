/** Alerts of the perps venue are judged on the event, in however many pieces and batches it came: each once, the same from the same segments. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { alertOn, digest, infoAnswer, insertHeard } from '../support/hyperliquid.js'
import { freshStore } from '../support/servers.js'
import { addressOf, day, file, hour } from '../support/traders.js'

type Fill = readonly [string, object]
const now = Math.floor(Date.now() / 1_000) * 1_000 - 60_000
const hash = (tid: number): string => `0x${tid.toString(16).padStart(64, '0')}`
const fill = (account: string, tid: number, side: 'B' | 'A', more: object): Fill => [account, { coin: 'BTC', px: '100', sz: '400', side, time: now, startPosition: '0', dir: side === 'B' ? 'Open Long' : 'Open Short', closedPnl: '0', hash: hash(tid), oid: 7, crossed: true, fee: '0', tid, feeToken: 'USDC', ...more }]
const [loser, winner, third, leader] = [addressOf(1), addressOf(2), addressOf(3), addressOf(4)]
const named = (account: string) => ({ liquidation: { liquidatedUser: account, markPx: '99', method: 'market' } })
/** A forced fill of 40,000 dollars: the loser's own, or what the other side says of it. */
const own = (tid: number, more: object = {}, account = loser): Fill => fill(account, tid, 'A', { startPosition: '90000', dir: 'Liquidated Cross Long', ...named(account), ...more })
const other = (tid: number, account: string, more: object = {}): Fill => fill(winner, tid, 'B', { ...named(account), ...more })
/** What makes an account worth following: 25 gains of 4,000 in the days before. */
const gains = Array.from({ length: 25 }, (_, nth) => [
  fill(leader, 9_000 + 2 * nth, 'B', { time: now - 20 * day + nth * hour, oid: 9_000 + 2 * nth, sz: '1' }), fill(leader, 9_001 + 2 * nth, 'A', { time: now - 20 * day + nth * hour + 1_000, oid: 9_001 + 2 * nth, sz: '1', startPosition: '1', closedPnl: '4000', dir: 'Close Long' }),
]).flat()
/** One closing fill that gained much among many that lost, opened by orders that rested: what is paid for resting is no gain. */
const lucky = gains.map(([account, one], nth): Fill => [account, { ...one, ...(nth % 2 === 0 ? { fee: '-0.1', crossed: false } : { closedPnl: nth === 1 ? '120000' : '-1' }) }])
/** Fills of one order of the leader, one after the other, of 20,000 dollars each unless told. */
const order = (tids: readonly number[], { held = 0, sz = 200, ...more }: { held?: number; sz?: number } & Record<string, unknown> = {}): Fill[] => tids.map((tid, nth) => fill(leader, tid, 'B', { sz: String(sz), startPosition: String(held + nth * sz), ...more }))

interface Story { readonly name: string; readonly segments: readonly (readonly Fill[])[]; readonly told: readonly string[] }
const adl = (tid: number): Fill => fill(loser, tid, 'A', { startPosition: '9000', dir: 'Auto-Deleveraging', ...named(winner) })
const stories: readonly Story[] = [
  { name: 'a liquidation of many pieces in one segment is one event', segments: [Array.from({ length: 60 }, (_, nth) => own(100 + nth, { px: '100000', sz: '0.5' }))], told: ['liquidation BTC 01 long 3000000 at 100000 tid 100 segment 1'] },
  { name: 'its price is the mean by size', segments: [[own(1, { px: '100', sz: '900' }), own(2, { px: '90', sz: '300' })]], told: ['liquidation BTC 01 long 117000 at 97.5 tid 1 segment 1'] },
  { name: 'in several segments it is told once, with the piece that makes it large enough, valued as it is known then', segments: [[own(5)], [own(3)], [own(4), own(9)], [own(2)], [own(1, { sz: '4000' })]], told: ['liquidation BTC 01 long 160000 at 100 tid 5 segment 3'] },
  { name: 'what is too small in sum is not told, nor what is apart in time, coin or kind', segments: [[own(1), own(2)], [own(3, { time: now + 1 }), own(4, { coin: 'ETH' }), adl(5)]], told: [] },
  { name: 'a sum that just reaches the threshold is told', segments: [[own(1, { px: '100.1', sz: '333' })], [own(2, { px: '100.1', sz: '333' }), own(3, { px: '0.1', sz: '333334' })]], told: ['liquidation BTC 01 long 100000 at 0.299401197604790419 tid 1 segment 2'] },
  { name: 'two accounts at one moment are two events, and so are auto-deleveraging and liquidation of one', segments: [[...[1, 2, 3].map((tid) => own(tid)), ...[4, 5, 6].map((tid) => own(tid, {}, third)), ...[7, 8, 9].map(adl)]],
    told: ['adl BTC 01 long 120000 at 100 tid 7 segment 1', 'liquidation BTC 01 long 120000 at 100 tid 1 segment 1', 'liquidation BTC 03 long 120000 at 100 tid 4 segment 1'] },
  { name: 'a correction tells the event of who it was, once and marked', segments: [[1, 2, 3].map((tid) => other(tid, third)), [own(1), own(2)], [own(3)], [own(4)]], told: ['liquidation BTC 03 long 120000 at 100 tid 1 segment 1', 'corrected liquidation BTC 01 long 120000 at 100 tid 1 segment 3'] },
  { name: 'what had left before an event was large enough does not count for it', segments: [[other(1, third), other(2, third)], [own(1), own(2)], [other(3, third)]], told: [] },
  { name: 'an account named again is no news', segments: [[own(1), own(2), own(3)], [1, 2, 3].map((tid) => other(tid, loser))], told: ['liquidation BTC 01 long 120000 at 100 tid 1 segment 1'] },
  { name: 'a leader that opens by one order in many fills is told once', segments: [gains, Array.from({ length: 60 }, (_, nth) => fill(leader, 100 + nth, 'B', { px: '100000', sz: '0.49', startPosition: String((nth * 49) / 100) }))], told: ['copy_trade BTC leader long 2940000 at 100000 tid 100 segment 2'] },
  { name: 'also at several times and in several segments, with the fill that makes it large enough', segments: [gains, order([3, 2]), order([1], { held: 400, px: '110', time: now + hour }), order([4, 5, 6], { held: 600, time: now + 2 * hour })], told: ['copy_trade BTC leader long 62000 at 103.333333333333333333 tid 3 segment 3'] },
  { name: 'the fill from flat may be heard last', segments: [gains, order([2, 3, 4], { held: 200, time: now + 1 }), order([1])], told: ['copy_trade BTC leader long 80000 at 100 tid 1 segment 3'] },
  { name: 'what a leader gained may be heard between', segments: [order([1, 2]), gains, order([3], { held: 400 })], told: ['copy_trade BTC leader long 60000 at 100 tid 1 segment 3'] },
  { name: 'but not after', segments: [order([1, 2, 3]), gains], told: [] },
  { name: 'two orders are not one, and what adds to a position opens none', segments: [gains, [...order([1, 2]), ...order([3, 4], { held: 400, oid: 8 })], [...order([5, 6, 7], { held: 900, oid: 10 }), ...order([8, 9], { oid: 11, coin: 'ETH' })]], told: [] },
  { name: 'what an order closed before it opened does not count', segments: [gains, [fill(leader, 1, 'B', { sz: '5000', startPosition: '-5000', dir: 'Close Short' }), ...order([2, 3])], order([4], { held: 400 })], told: ['copy_trade BTC leader long 60000 at 100 tid 2 segment 3'] },
  { name: 'who gained nothing is not told', segments: [order([1, 2, 3])], told: [] },
  { name: 'nor who gained by one of many', segments: [lucky, order([1, 2, 3])], told: [] },
  { name: 'nor what an order does a day after', segments: [gains, order([1], { time: now - 25 * hour }), order([2, 3], { held: 200 })], told: [] },
]
/** All stories go through the same segments: each has coins and a leader of its own. */
const follower = (nth: number): string => addressOf(100 + nth)
const segments = [0, 1, 2, 3, 4].map((at) => stories.flatMap(({ segments: parts }, nth) => (parts[at] ?? []).map(([account, one]): Fill => [account === leader ? follower(nth) : account, { ...one, coin: `${nth}${(one as { coin: string }).coin}` }])))

const whole = (store: Store) => store.query('SELECT * FROM hl_alerts ORDER BY ALL', {}, z.record(z.string(), z.unknown()))
const Alert = z.object({ nth: z.coerce.number(), text: z.string() })
const alerts = (store: Store) => store.query(`SELECT extract(coin, '^[0-9]+') AS nth, concat(if(startsWith(summary, 'Corrected: '), 'corrected ', ''), concatWithSeparator(' ', kind, substring(coin, length(nth) + 1), if(kind = 'copy_trade', 'leader', substring(lower(hex(account)), 1, 2)), side, value_usd, 'at', px, 'tid', tid, 'segment', block_number)) AS text
  FROM hl_alerts WHERE kind != 'copy_trade' OR lower(hex(account)) = repeat(lower(hex(toUInt8(100 + toUInt8(nth)))), 20) ORDER BY block_number, kind, coin, account`, {}, Alert)

describe('alerts of the perps venue in pieces', function () {
  this.timeout(240_000)
  const put = async (batches: readonly (readonly [number, number])[]): Promise<Store> => {
    const { store } = await freshStore()
    for (const [index, segment] of segments.entries()) await insertHeard(store, index + 1, [file(segment)])
    for (const [from, to] of batches) { await digest(store, from, to); await alertOn(store, from, to) }
    return store
  }
  let store: Store, rows: z.infer<typeof Alert>[]
  before(async () => {
    store = await put([1, 2, 3, 4, 5].map((segment) => [segment, segment]))
    rows = await alerts(store)
  })

  for (const [nth, { name, told }] of stories.entries()) it(name, () => { assert.deepEqual(rows.filter((row) => row.nth === nth).map(({ text }) => text), told) })

  it('what an answer tells of long ago is no news; what it tells of a silence is, and so is what a file tells', async () => {
    const { store: other } = await freshStore()
    const closed = (tid: number, ago: number): Fill => own(tid, { sz: '2000', time: now - ago })
    const said = (...fills: readonly Fill[]) => infoAnswer({ type: 'userFillsByTime', user: loser }, fills.map(([, one]) => one))
    await insertHeard(other, 1, [said(closed(1, 2 * day), closed(2, 3 * hour)), file([closed(3, 5 * day)])])
    await digest(other, 1, 1)
    await alertOn(other, 1, 1)
    assert.deepEqual(await other.query('SELECT tid FROM hl_alerts ORDER BY tid', {}, z.object({ tid: z.coerce.number() })), [{ tid: 2 }, { tid: 3 }])
  })

  it('the tid, hash and id are of the event: the same however segments were batched, and when a batch is done again', async () => {
    const expected = await whole(store)
    assert.equal(new Set(expected.map(({ id }) => JSON.stringify(id))).size, stories.flatMap(({ told }) => told).length)
    for (const segment of [1, 2, 3, 4, 5]) await alertOn(store, segment, segment, true)
    assert.deepEqual(await whole(store), expected)
    for (const batches of [[[1, 5]], [[1, 2], [3, 5]]] as const) assert.deepEqual(await whole(await put(batches)), expected)
    const hashes = await store.query('SELECT toString(countIf(tid != reinterpretAsUInt64(reverse(substring(hash, 25, 8))))) AS text FROM hl_alerts', {}, z.object({ text: z.string() }))
    assert.deepEqual(hashes, [{ text: '0' }])
  })
})
