/** A page of the venue's newest trades from memory alone is the page that would be read from everything; where anything that stands belongs to it, everything is read. */
import assert from 'node:assert/strict'
import type { LedgerView } from '../../api/ledgerView.js'
import { readNewest, Recent } from '../../api/operations/perps/newest.js'
import { loadSql } from '../../schemas/sql.js'
import { digest, insertHeard, message } from '../support/hyperliquid.js'
import { startService, type Service } from './support/service.js'

const all = loadSql(new URL('../../api/operations/perps/getHlRecent.ts', import.meta.url).href, 'getHlRecent.sql', 'further pages')
const accounts = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`, `0x${'33'.repeat(19)}00`, `0x${'00'.repeat(20)}`] as const

describe('the newest trades of the venue', function () {
  this.timeout(90_000)
  let service: Service, now = 0
  /** A third of them each of the same moment, coins out of order, names that are cleaned when shown, hashes that are none, sizes below the least. */
  const trade = (nth: number, ago: number, more: object = {}) => ({
    coin: ['BTC', 'ETH', 'Z\u200bA', '@107'][nth % 4], side: nth % 3 === 0 ? 'A' : 'B', px: `${100 + nth}.${nth}5`, sz: nth % 5 === 4 ? '0.000001' : `12.${nth}`, time: now - ago, hash: nth % 7 === 0 ? 'none' : `0x${'cD'.repeat(32)}`, tid: 1_000 + nth,
    users: [accounts[nth % 4], accounts[(nth + 1) % 4]], ...more,
  })
  const said = () => Array.from({ length: 40 }, (_, nth) => trade(nth, 9_000 - Math.floor(nth / 3) * 10))
  const head = (number: number) => service.store.insert('heads', [{ chain: 'HL', number, hash: 'x', block_time: new Date().toISOString(), finalized: 1, endpoint: 'venue', observed_at: new Date().toISOString() }])
  const params = (limit: number, min = 0) => ({ from: now - 3_600_000, before: now + 86_400_000, coin: '', tid: '0', extra: '0', min_usd: min, limit, entered: 1 })
  const enrichedTo = (to: number) => service.store.insert('batches', [{ chain: 'HL', stage: 'enrich', from_block: 1, to_block: to, hash: '0xab', generation: 0, rows: 1, bytes: 1, milliseconds: 1, endpoint: '', finished_at: new Date().toISOString() }])
  const forced = (ago: number, tid: number) => service.store.execute(`INSERT INTO hl_liquidations (chain, block_number, source, heard_at, coin, market, dex, time, tid, extra, kind, liquidated, side, px, sz, mark_px, method, hash, generation)
    VALUES ('HL', 1, 'node_fills', now64(3), 'BTC', 'perp', '', {time:String}, {tid:UInt64}, 0, 'liquidation', unhex({who:String}), 'sell', 100, 100, 100, 'market', '', 0)`, { time: new Date(now - ago).toISOString().replace('Z', ''), tid, who: '44'.repeat(20) })
  const events = async (limit: number, least = 0): Promise<any[]> => (await service.call(`GET /v1/feed/hl/recent?hours=1&min_usd=${least}&limit=${limit}`)).body.events
  const ids = async (limit: number, least = 0): Promise<string[]> => (await events(limit, least)).map(({ trade_id: id }) => id)
  /** How the API looks in memory: under a view of the ledger that lives as long as it is given again. */
  const look = (limit: number, least: number, view: object = {}) => readNewest(params(limit, least), view as LedgerView, service)
  const viewed = () => new Promise((resolve) => setTimeout(resolve, 1_100))
  before(async () => {
    service = await startService()
    // By a clock of the venue that goes before ours: what is looked at in memory is of the last half minute, and the machine may take longer.
    now = Math.floor(Date.now() / 1_000) * 1_000 + 600_000
    await head(1)
    await insertHeard(service.store, 1, [message('trades', [trade(90, 30_000), trade(91, 25_000)])])
    await digest(service.store, 1, 1)
    await enrichedTo(1)
    // Segment by segment, some of it told twice.
    for (let nth = 0; nth < 4; nth += 1) await insertHeard(service.store, 2 + nth, [message('trades', said().slice(nth * 10, nth * 10 + 10)), message('trades', said().slice(nth * 10 + 5, nth * 10 + 12))])
  })
  after(() => service.stop())

  it('from memory are those read from everything, to the last member, wherever a page ends', async () => {
    // Nothing waits by the head the API knows: it reads everything.
    const whole = await events(30)
    for (const [least, known] of [[0, 40], [1, 32], [1_400, 19]] as const) for (let limit = 1; limit <= known; limit += 1) {
      assert.deepEqual(await look(limit, least), await service.store.query(all, params(limit, least), Recent), `${limit} from ${least}`)
    }
    await head(9)
    await viewed()
    assert.deepEqual(await events(30), whole, 'read from memory')
    await digest(service.store, 2, 5)
    await enrichedTo(5)
    await viewed()
    assert.deepEqual(await events(30), whole, 'read from what stands')
  })

  it('too few in memory are looked for again when the ledger was', async () => {
    const view = {}
    assert.equal((await look(40, 0, view))?.length, undefined, 'a page of which some stand')
    assert.equal(await look(41, 0, view), undefined)
    await insertHeard(service.store, 6, [message('trades', Array.from({ length: 45 }, (_, nth) => trade(100 + nth, 6_000 - nth)))])
    assert.equal(await look(41, 0, view), undefined)
    assert.deepEqual([(await look(40, 0, view))?.length, (await look(41, 0))?.length], [40, 41])
    await digest(service.store, 6, 6)
    await enrichedTo(6)
  })

  it('of which some stand already, or were forced, are read from everything', async () => {
    await insertHeard(service.store, 7, [message('trades', [1, 2, 3, 4, 5].map((nth) => trade(200 + nth, 5_000 - nth * 10, { coin: 'BTC', sz: '100' })))])
    const later = ['1205', '1204', '1203', '1202', '1201']
    assert.deepEqual(await ids(5, 5), later)
    assert.deepEqual((await ids(6, 6)).slice(0, 5), later, 'a page that goes on in what stands')
    await forced(4_975, 7_777)
    assert.deepEqual((await ids(5, 7)), ['1205', '1204', '1203', '7777', '1202'])
    assert.deepEqual((await ids(2, 8)), ['1205', '1204'], 'a page that ends before it')
    await forced(4_960, 1_204)
    assert.deepEqual((await events(2, 9)).map((event) => [event.trade_id, event.kind, event.liquidated]), [['1205', 'trade', null], ['1204', 'liquidation', `0x${'44'.repeat(20)}`]])
  })
})
