/** A page of the venue's newest trades from memory alone is the page that would be read from everything; where anything that stands belongs to it, everything is read. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { loadSql } from '../../schemas/sql.js'
import { digest, insertHeard, message } from '../support/hyperliquid.js'
import { startService, type Service } from './support/service.js'

const operation = new URL('../../api/operations/perps/getHlRecent.ts', import.meta.url).href
const newest = loadSql(operation, 'getHlNewest.sql'), all = loadSql(operation, 'getHlRecent.sql', 'further pages')
const accounts = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`, `0x${'33'.repeat(19)}00`, `0x${'00'.repeat(20)}`] as const
const Any = z.record(z.string(), z.unknown())

describe('the newest trades of the venue', function () {
  this.timeout(90_000)
  let service: Service
  const now = Math.floor(Date.now() / 1_000) * 1_000
  /** A third of them each of the same moment, coins out of order, names that are cleaned when shown, hashes that are none, sizes below the least. */
  const trade = (nth: number, ago: number, more: object = {}) => ({
    coin: ['BTC', 'ETH', 'Z\u200bA', '@107'][nth % 4], side: nth % 3 === 0 ? 'A' : 'B', px: `${100 + nth}.${nth}5`, sz: nth % 5 === 4 ? '0.000001' : `12.${nth}`, time: now - ago, hash: nth % 7 === 0 ? 'none' : `0x${'cD'.repeat(32)}`, tid: 1_000 + nth,
    users: [accounts[nth % 4], accounts[(nth + 1) % 4]], ...more,
  })
  const said = Array.from({ length: 40 }, (_, nth) => trade(nth, 20_000 - Math.floor(nth / 3) * 10))
  const params = (limit: number, min = 0) => ({ from: now - 3_600_000, before: now + 86_400_000, coin: '', tid: '0', extra: '0', min_usd: min, limit, entered: 1 })
  const enrichedTo = (to: number) => service.store.insert('batches', [{ chain: 'HL', stage: 'enrich', from_block: 1, to_block: to, hash: '0xab', generation: 0, rows: 1, bytes: 1, milliseconds: 1, endpoint: '', finished_at: new Date().toISOString() }])
  const forced = (ago: number, tid: number) => service.store.execute(`INSERT INTO hl_liquidations (chain, block_number, source, heard_at, coin, market, dex, time, tid, extra, kind, liquidated, side, px, sz, mark_px, method, hash, generation)
    VALUES ('HL', 1, 'node_fills', now64(3), 'BTC', 'perp', '', {time:String}, {tid:UInt64}, 0, 'liquidation', unhex({who:String}), 'sell', 100, 100, 100, 'market', '', 0)`, { time: new Date(now - ago).toISOString().replace('Z', ''), tid, who: '44'.repeat(20) })
  const ids = async (limit: number, least = 0): Promise<string[]> => (await service.call(`GET /v1/feed/hl/recent?hours=1&min_usd=${least}&limit=${limit}`)).body.events.map((event: any) => event.trade_id)
  before(async () => {
    service = await startService()
    await service.store.insert('heads', [{ chain: 'HL', number: 9, hash: 'x', block_time: new Date().toISOString(), finalized: 1, endpoint: 'venue', observed_at: new Date().toISOString() }])
    await insertHeard(service.store, 1, [message('trades', [trade(90, 30_000), trade(91, 25_000)])])
    await digest(service.store, 1, 1)
    await enrichedTo(1)
    // Segment by segment, some of it told twice.
    for (let nth = 0; nth < 4; nth += 1) await insertHeard(service.store, 2 + nth, [message('trades', said.slice(nth * 10, nth * 10 + 10)), message('trades', said.slice(nth * 10 + 5, nth * 10 + 12))])
  })
  after(() => service.stop())

  it('from memory are those read from everything, to the last member, wherever a page ends', async () => {
    for (const [min, known] of [[0, 40], [1, 32], [1_400, 19]] as const) for (let limit = 1; limit <= known; limit += 1) {
      const page = await service.store.query(newest, params(limit, min), Any), whole = await service.store.query(all, params(limit, min), Any)
      assert.deepEqual([page.length, whole.length], [limit, limit], `${limit} from ${min}`)
      assert.deepEqual(page.map(({ newest: is, ...row }) => { assert.equal(is, true); return { ...row, kind: 'trade', apart: '0', heard: true, liquidated: '00'.repeat(20), method: '' } }).map((row) => Object.entries(row).sort()), whole.map((row) => Object.entries(row).sort()))
    }
    const shown = await ids(30)
    await digest(service.store, 2, 5)
    await enrichedTo(5)
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    assert.deepEqual(await ids(30), shown, 'read from what stands')
  })

  it('of which some stand already, or were forced, are read from everything', async () => {
    await insertHeard(service.store, 6, [message('trades', [1, 2, 3, 4, 5].map((nth) => trade(200 + nth, 5_000 - nth * 10, { coin: 'BTC', sz: '100' })))])
    const later = ['1205', '1204', '1203', '1202', '1201']
    assert.deepEqual(await ids(5, 5), later)
    assert.deepEqual((await ids(6, 6)).slice(0, 5), later, 'a page that goes on in what stands')
    await forced(4_975, 7_777)
    assert.deepEqual((await ids(5, 7)), ['1205', '1204', '1203', '7777', '1202'])
    assert.deepEqual((await ids(2, 8)), ['1205', '1204'], 'a page that ends before it')
    await forced(4_960, 1_204)
    const { events } = (await service.call('GET /v1/feed/hl/recent?hours=1&min_usd=9&limit=2')).body
    assert.deepEqual(events.map((event: any) => [event.trade_id, event.kind, event.liquidated]), [['1205', 'trade', null], ['1204', 'liquidation', `0x${'44'.repeat(20)}`]])
  })
})
