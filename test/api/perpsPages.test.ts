/** Lists about the perps venue in the order of time come in pages that neither repeat nor miss a row, also while more is heard; cursors of others are refused. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { computeTraders } from '../../stages/traders/computeTraders.js'
import { digest, insertHeard } from '../support/hyperliquid.js'
import { addressOf, day, file, hour, minute, roundTrip, start } from '../support/traders.js'
import { startService, type Service } from './support/service.js'

const account = addressOf(8)
/** Path, the member that holds the rows, what tells a row from others. */
const lists: readonly (readonly [string, string, (row: any) => unknown])[] = [
  ['feed/hl/signal-log?version=all&archived=true', 'signals', ({ id }) => id], ['feed/hl/alerts?hours=24&min_score=0', 'alerts', ({ id }) => id], ['feed/hl/signals?hours=24', 'signals', ({ id }) => id],
  ['feed/hl/insider-trades?hours=720', 'trades', ({ address, coin, opened_at: at, side }) => [address, coin, at, side].join(' ')], [`feed/hl/trader/${account}?`, 'fills', ({ trade_id: id }) => id],
]
const idOf = (text: string): string => createHash('sha256').update(text).digest('hex')

describe('pages about the perps venue', function () {
  this.timeout(120_000)
  let service: Service
  const now = Math.floor(Date.now() / 1_000) * 1_000
  const at = (ago: number): string => new Date(now - ago).toISOString()
  const signal = (nth: number, ago: number) => service.store.execute(`INSERT INTO hl_signals (chain, id, kind, version, coin, time, side, strength, measures, detail, px, reconstructed, baseline, matched, latency_seconds, horizon_minutes, stop, target, fee_bps, slip_bps, quantity_usd, through)
    VALUES ('HL', unhex({id:String}), {kind:String}, {version:String}, {coin:String}, {time:String}, 'long', {strength:Float64}, map('usd', 1), 's', 1, false, false, '', 60, 60, 0.01, 0.01, 4.5, 2, 1000, 1)`,
  { id: idOf(`s${nth}`), kind: nth % 3 === 0 ? 'cascade_setup' : 'whale_flow', version: nth % 2 === 0 ? 'v3' : 'v5', coin: nth % 4 < 2 ? 'BTC' : 'ETH', time: at(ago).slice(0, 19), strength: 40 + nth % 3 })
  const alert = (nth: number, ago: number) => service.store.execute(`INSERT INTO hl_alerts (chain, id, kind, basis, severity, score, coin, side, account, px, value_usd, time, hash, tid, summary, detail, block_number, generation)
    VALUES ('HL', unhex({id:String}), 'copy_trade', 'confirmed', 'low', 50, 'BTC', 'long', '', 1, 1, {time:String}, '', {tid:UInt64}, 's', 'd', 1, 0)`, { id: idOf(`a${nth}`), time: at(ago).replace('Z', ''), tid: nth })
  const informed = (nth: number, ago: number) => service.store.execute(`INSERT INTO hl_insider_trades (chain, account, coin, opened_at, tid, extra, part, side, score, entry_px, value_usd, leverage, moved, moved_hours, pnl_usd, evidence, rule_version, version, deleted)
    VALUES ('HL', unhex({account:String}), {coin:String}, {time:String}, {tid:UInt64}, 0, 0, 'long', 50, 1, 1, 1, 0.1, 1, 1, [], 1, 3, 0)`, { account: addressOf(20 + nth % 3).slice(2), coin: nth % 2 === 0 ? 'BTC' : 'ETH', time: at(ago).replace('Z', ''), tid: nth })
  before(async () => {
    service = await startService()
    const trips = Array.from({ length: 9 }, (_, trip) => [roundTrip(8, trip + 1, { at: trip * day, hold: hour, exit: 101, coin: trip % 2 === 0 ? 'BTC' : 'ETH' }), roundTrip(8, trip + 101, { at: trip * day, hold: hour, exit: 101, coin: 'SOL' })]).flat(2)
    await insertHeard(service.store, 1, [file(trips)])
    await digest(service.store, 1, 1)
    // Two or three of each moment, so that pages end within moments.
    for (let nth = 0; nth < 11; nth += 1) { await signal(nth, (nth >> 1) * 5 * minute + minute); await alert(nth, Math.floor(nth / 3) * minute + 2 * minute); await informed(nth, (nth >> 1) * hour) }
  })
  after(() => service.stop())

  const turn = async (path: string, member: string, limit: number, next: string | null): Promise<{ rows: any[]; next: string | null }> => {
    const { status, body, text } = await service.call(`GET /v1/${path}&limit=${limit}${next === null ? '' : `&cursor=${next}`}`)
    assert.equal(status, 200, `${path} ${text}`)
    assert.deepEqual([body.has_more, body.count], [body.next_cursor !== null, body[member].length])
    return { rows: body[member], next: body.next_cursor }
  }
  const walk = async (path: string, member: string, limit: number, from: { rows: any[]; next: string | null }): Promise<any[]> => {
    let { rows, next } = from
    while (next !== null) { const page = await turn(path, member, limit, next); assert.ok(page.rows.length > 0); rows = [...rows, ...page.rows]; next = page.next }
    return rows
  }

  it('are the whole list, in order, whatever their size, also while more is heard', async () => {
    const begun = []
    for (const [path, member, of] of lists) {
      const all = (await turn(path, member, 200, null)).rows.map(of)
      assert.ok(all.length > 10, `${path} has ${all.length} rows: no test`)
      assert.equal(new Set(all).size, all.length, path)
      for (const limit of [1, 2, 4]) assert.deepEqual((await walk(path, member, limit, await turn(path, member, limit, null))).map(of), all, `${path} by ${limit}`)
      begun.push({ path, member, of, all, first: await turn(path, member, 3, null) })
    }
    await signal(50, 0)
    await alert(50, 0)
    await informed(50, 0)
    await insertHeard(service.store, 2, [file([...roundTrip(8, 300, { at: Date.now() - start - hour, hold: minute, exit: 101 })])])
    await digest(service.store, 2, 2)
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    for (const { path, member, of, all, first } of begun) {
      assert.deepEqual((await walk(path, member, 3, first)).map(of), all, path)
      assert.notDeepEqual((await turn(path, member, 3, null)).rows.map(of), all.slice(0, 3), path)
    }
  })

  it('go on past rows whose coin has a name of any length, as they stood before such names were refused', async () => {
    const stored = addressOf(10), coin = 'x'.repeat(300), recent = Date.now() - minute
    for (let nth = 0; nth < 4; nth += 1) {
      const own = { coin, time: new Date(recent - nth * 1_000).toISOString(), tid: 900 + nth, account: stored.slice(2) }
      await service.store.execute(`INSERT INTO hl_fills (chain, block_number, source, heard_at, coin, market, time, tid, account, side, px, sz, dir, crossed, generation) SELECT 'HL', 2, 'node_fills', now64(3), {coin:String}, 'perp', parseDateTime64BestEffort({time:String}, 3, 'UTC'), {tid:UInt64}, toFixedString(unhex({account:String}), 20), 'buy', 100, 100000, 'Open Long', true, 0`, own)
      await service.store.execute(`INSERT INTO hl_trades (chain, block_number, source, heard_at, coin, market, time, tid, side, px, sz, buyer, seller, generation) SELECT 'HL', 2, 'node_fills', now64(3), {coin:String}, 'perp', parseDateTime64BestEffort({time:String}, 3, 'UTC'), {tid:UInt64}, 'buy', 100, 100000, toFixedString(unhex({account:String}), 20), '', 0`, own)
    }
    const named = [[`feed/hl/trader/${stored}?`, 'fills'], ['feed/hl/recent?hours=1', 'events'], ['whales/recent?chain=HL', 'whales'], ['whales/recent?chain=ALL', 'whales']] as const
    for (const [path, member] of named) {
      const all = (await turn(path, member, 50, null)).rows
      assert.equal(all.length, 4, path)
      assert.deepEqual(await walk(path, member, 1, await turn(path, member, 1, null)), all, path)
      assert.ok(all.every((row) => (row.coin ?? row.token_symbol).length === 50), path)
    }
  })

  it('of ranked accounts go on as they were begun, though some were judged anew since', async () => {
    const ago = now - start - 40 * day
    const ledger = (nth: number, exit: number, first = 1, count = 12) => Array.from({ length: count }, (_, trip) => roundTrip(nth, first + trip, { at: ago + (first + trip) * day, hold: 20 * hour, exit })).flat()
    // Two earn the same, so that the account decides.
    await insertHeard(service.store, 3, [file([30, 31, 32, 33, 34, 35].flatMap((nth) => ledger(nth, nth === 34 ? 133 : 100 + nth)))])
    await digest(service.store, 3, 3)
    await computeTraders(service.store, { chain: 'HL', upto: 3 })
    const ranked = [['feed/hl/traders?min_trades=12', 100], ['feed/hl/traders/styled?', 200]] as const
    const begun = []
    for (const [path, most] of ranked) {
      const all = (await turn(path, 'traders', most, null)).rows
      assert.deepEqual(all.map(({ address }) => address), [35, 33, 34, 32, 31, 30].map(addressOf), path)
      for (const limit of [1, 2, 4]) assert.deepEqual(await walk(path, 'traders', limit, await turn(path, 'traders', limit, null)), all, `${path} by ${limit}`)
      begun.push({ path, first: await turn(path, 'traders', 2, null) })
    }
    // The last becomes the first, the first the last.
    await insertHeard(service.store, 4, [file([...ledger(30, 900, 20, 1), ...ledger(35, 1, 20, 8)])])
    await digest(service.store, 4, 4)
    await computeTraders(service.store, { chain: 'HL', upto: 4 })
    await service.store.execute('OPTIMIZE TABLE hl_traders FINAL')
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    for (const { path, first } of begun) {
      const all = await walk(path, 'traders', 2, first)
      assert.deepEqual(all.map(({ address }) => address), [35, 33, 34, 32, 31, 30].map(addressOf), path)
      if (path.includes('min')) assert.deepEqual(all.map(({ rank }) => rank), [1, 2, 3, 4, 5, 6])
      assert.deepEqual((await turn(path, 'traders', 2, null)).rows.map(({ address }) => address), [30, 33].map(addressOf), path)
    }
  })

  it('refuse cursors of other lists and other questions', async () => {
    const { next: foreign } = await turn('feed/hl/alerts?hours=24&min_score=0', 'alerts', 1, null)
    for (const [path, member] of lists) {
      const { next } = await turn(path, member, 1, null)
      const other = path.includes('hours=') ? path.replace(/hours=\d+/, 'hours=23') : path.includes('archived') ? path.replace('archived=true', 'archived=false') : path.replace(account, addressOf(9))
      for (const target of [`${other}&cursor=${next}`, `${path}&cursor=${path.startsWith('feed/hl/alerts') ? 'x' : foreign}`]) assert.equal((await service.call(`GET /v1/${target}`)).status, 400, target)
    }
  })
})
