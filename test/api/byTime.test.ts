/** Lists of all chains by time: a block that arrives on a chain of which nothing was shown yet, or of which there was nothing, changes no page. */
import assert from 'node:assert/strict'
import { seed, seedHead } from './support/seed.js'
import { startService, type Service } from './support/service.js'

type Put = (service: Service, number: number, seconds: number) => Promise<unknown>
/** Of Ethereum's block 100, so many seconds later. */
const at = "(SELECT b.block_time FROM blocks AS b WHERE b.chain = 'ETH' AND b.block_number = 100) + toIntervalSecond({seconds:Int64})"
const move: Put = ({ store }, number, seconds) => store.execute(`INSERT INTO transfers SELECT * REPLACE ('BTC' AS chain, {number:UInt64} AS block_number, t.block_time + toIntervalSecond({seconds:Int64}) AS block_time)
  FROM transfers AS t WHERE t.chain = 'ETH' AND t.block_number = 100 AND t.kind = 'native'`, { number, seconds })
const transact: Put = async ({ store }, number, seconds) => {
  await store.execute(`INSERT INTO btc_blocks (chain, block_number, block_time) SELECT 'BTC', {number:UInt64}, ${at}`, { number, seconds })
  await store.execute(`INSERT INTO btc_transactions (chain, block_number, tx_index, txid, block_time) SELECT 'BTC', {number:UInt64}, 0, SHA256(toString({number:UInt64})), ${at}`, { number, seconds })
}
const alert = (chain: string): Put => ({ store }, number, seconds) => store.execute(`INSERT INTO alerts (id, chain, rule, rule_version, severity, block_number, block_time, tx_hash, summary, version)
  SELECT SHA256(concat({chain:String}, toString({number:UInt64}))), {chain:String}, 'whale_transfer', 1, 'low', {number:UInt64}, ${at}, SHA256('x'), 's', 1`, { chain, number, seconds })
/** As the stage tells of a segment of the venue: the view puts it among the alerts of all chains. */
const venueAlert: Put = ({ store }, number, seconds) => store.execute(`INSERT INTO hl_alerts (chain, id, kind, basis, severity, score, coin, side, account, px, value_usd, time, hash, tid, summary, detail, block_number, generation)
  SELECT 'HL', SHA256(toString({seconds:Int64})), 'liquidation', 'confirmed', 'low', 50, 'BTC', 'long', unhex(repeat('11', 20)), 1, 200000, ${at}, '', 1, 's', 'd', {number:UInt64}, 0`, { number, seconds })
const lists: readonly (readonly [path: string, rows: string, at: string, block: string, put: Put])[] = [
  ['whales/recent', 'whales', 'timestamp', 'block_number', move], ['dashboard/whale-txs', 'items', 'timestamp', 'blockNumber', move], ['dashboard/txs', 'txs', 'timestamp', 'block_number', transact],
  ['dashboard/intents', 'intents', 'timestamp', 'block_number', transact], ['dashboard/alerts', 'alerts', 'timestamp', 'block_number', alert('BTC')],
]

describe('pages of all chains by time', function () {
  this.timeout(90_000)
  let service: Service
  // Five blocks of Ethereum, and of Bitcoin those up to 800, which hold nothing.
  beforeEach(async () => {
    service = await startService()
    await seed(service.store, 100, 5)
    await seedHead(service.store, 104)
    await service.store.execute(`INSERT INTO blocks (chain, block_number, block_hash, block_time, miner, internal_complete) SELECT 'BTC', 800, SHA256('800'), ${at}, '', true`, { seconds: -9 })
    await service.store.execute("INSERT INTO plans SELECT 'BTC', 800, 'plan', 800, 800, 'x', '', 0, 't', 800, 'w', now64(3)")
    await service.store.execute("INSERT INTO batches SELECT 'BTC', stage, 800, 800, 'x', 0, 1, 1, 40, 'node', now64(3) FROM (SELECT arrayJoin(['ingest', 'normalize', 'enrich', 'index', 'alert']) AS stage)")
    await Promise.all([100, 101, 102, 103, 104].map((number) => alert('ETH')(service, number, 12 * (number - 100))))
  })
  afterEach(() => service.stop())

  /** Every row in pages of two, where `between` happens after the first. */
  const walked = async (path: string, rows: string, between: () => Promise<unknown>): Promise<any[]> => {
    const told: any[] = []
    for (let next: string | null = ''; next !== null;) {
      const { status, body, text } = await service.call(`GET /v1/${path}?chain=ALL&limit=2${next === '' ? '' : `&cursor=${next}`}`)
      assert.equal(status, 200, text)
      told.push(...body[rows])
      if (next === '') await between()
      next = body.next_cursor
    }
    return told
  }

  for (const [path, rows, time, block, put] of lists) {
    const check = (told: any[], heights: readonly number[]): void => {
      assert.deepEqual(told.map((row) => row[time]), told.map((row) => row[time]).sort().reverse())
      assert.deepEqual(told.filter(({ chain }) => chain !== 'ETH').map((row) => row[block]), heights)
      assert.ok(told.filter(({ chain }) => chain === 'ETH').length >= 5)
    }

    it(`/v1/${path}: hold nothing newer than the page before them`, async () => {
      await put(service, 800, 1)
      check(await walked(path, rows, () => put(service, 801, 53)), [800])
    })

    it(`/v1/${path}: nor of a chain of which there was nothing`, async () => {
      check(await walked(path, rows, () => put(service, 801, 53)), [])
    })
  }

  it('/v1/dashboard/alerts: nor of a block, or a segment, that was there before and is looked at for alerts after it', async () => {
    await service.store.execute("INSERT INTO heads (chain, number, observed_at) VALUES ('HL', 5000, now64(3))")
    const told = await walked('dashboard/alerts', 'alerts', () => Promise.all([venueAlert(service, 4_990, 53), alert('BTC')(service, 800, 53)]))
    assert.deepEqual(told.map(({ chain, block_number: number }) => [chain, number]), [104, 103, 102, 101, 100].map((number) => ['ETH', number]))
  })

  // Alerts of a venue are of the segment up to which it was heard.
  for (const [what, heard] of [['was never heard', 0], ['was heard without one', 5_000]] as const) {
    it(`/v1/dashboard/alerts: nor of a venue that ${what}`, async () => {
      if (heard > 0) await service.store.execute("INSERT INTO heads (chain, number, observed_at) VALUES ('HL', {heard:UInt64}, now64(3))", { heard })
      const told = await walked('dashboard/alerts', 'alerts', () => venueAlert(service, heard + 1, 53))
      assert.deepEqual(told.map(({ chain, block_number: number }) => [chain, number]), [104, 103, 102, 101, 100].map((number) => ['ETH', number]))
    })
  }

  it('/v1/dashboard/alerts: of a venue by when they happened, whatever segment tells of them, without a token', async () => {
    const { body: { next_cursor: none } } = await service.call('GET /v1/dashboard/alerts?chain=HL&limit=2')
    assert.equal(none, null)
    // One segment holds weeks; what is heard late is told by later segments.
    for (const [segment, seconds] of [[7, 1], [7, 47], [7, 13], [8, 5], [9, 30], [7, 25]] as const) await venueAlert(service, segment, seconds)
    const newest = (await service.call('GET /v1/dashboard/alerts?chain=HL&limit=1')).body.alerts[0]
    const first = Date.parse(newest.timestamp) - 47_000, seconds = (rows: any[]): number[] => rows.filter(({ chain }) => chain === 'HL').map((row) => (Date.parse(row.timestamp) - first) / 1_000)
    assert.deepEqual([newest.block_number, newest.amount, newest.token, newest.value_usd], [7, null, null, 200_000])
    const all = await walked('dashboard/alerts', 'alerts', () => venueAlert(service, 10, 53))
    assert.deepEqual(seconds(all), [47, 30, 25, 13, 5, 1])
    assert.deepEqual(all.map(({ timestamp }) => timestamp), all.map(({ timestamp }) => timestamp).sort().reverse())
    const venue: any[] = []
    for (let next: string | null = ''; next !== null;) {
      const { body }: { body: any } = await service.call(`GET /v1/dashboard/alerts?chain=HL&limit=4${next === '' ? '' : `&cursor=${next}`}`)
      venue.push(...body.alerts)
      next = body.next_cursor
    }
    assert.deepEqual(seconds(venue), [53, 47, 30, 25, 13, 5, 1])
  })

  for (const [path, rows] of [['whales/recent', 'whales'], ['dashboard/whale-txs', 'items']] as const) {
    it(`/v1/${path}: nor what a venue without a whale tells of the millisecond after it was heard`, async () => {
      const { store } = service
      await store.execute(`INSERT INTO heads (chain, number, block_time, observed_at) SELECT 'HL', 1, ${at}, now64(3)`, { seconds: 1 })
      const told = await walked(path, rows, () => store.execute(`INSERT INTO hl_trades (chain, block_number, source, coin, market, time, tid, px, sz, buyer, seller) SELECT 'HL', 2, 'ws', 'BTC', 'perp', ${at} + toIntervalMillisecond(1), 7, 100000, 50, 'b', 's'`, { seconds: 1 }))
      assert.deepEqual([told.filter(({ chain }) => chain !== 'ETH').length, told.length > 5], [0, true])
    })
  }

  it('the top of the day says of each chain what it covers', async () => {
    for (const path of ['wallets/top/ALL', 'wallets?chain=ALL']) {
      const { body, headers } = await service.call(`GET /v1/${path}`)
      const { from, to, chains } = JSON.parse(headers.get('x-window') ?? 'null') ?? {}
      const days = (body as any[]).filter(({ chain }) => chain === 'ETH').map((row) => [row.from, row.to])
      assert.deepEqual([Object.keys(chains ?? {}), chains?.ETH.indexed.blocks, chains?.BTC.indexed.blocks], [['ETH', 'BTC'], 5, 1], path)
      assert.deepEqual([from, to], [chains.BTC.from, chains.ETH.to], path)
      assert.ok(days.length > 0 && days.every((day) => day[0] === chains.ETH.from && day[1] === chains.ETH.to), path)
    }
  })
})
