/** Accounts of the leaderboard: whom the store names, that they are asked about in turn, and that their positions land where those of followed accounts do. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { startVenue, type Venue } from '../../../scripts/replay-node/hyperliquid/server.js'
import type { Store } from '../../../schemas/clickhouse.js'
import { parseConfig } from '../../../schemas/config.js'
import { loadSql } from '../../../schemas/sql.js'
import { openRest } from '../../../stages/ingest/hyperliquid/rest.js'
import { openHyperliquidSource } from '../../../stages/ingest/hyperliquid/source.js'
import { openTracked, trackGapMs } from '../../../stages/ingest/hyperliquid/tracked.js'
import { digest, infoAnswer, insertHeard } from '../../support/hyperliquid.js'
import { until } from '../../support/pipeline.js'
import { freshStore } from '../../support/servers.js'

type Question = Readonly<Record<string, unknown>>
const Account = z.object({ account: z.string() }), Named = z.object({ name: z.string() })
const account = (nth: number): string => `0x${nth.toString(16).padStart(40, '0')}`
const row = (nth: number, month: string, more: object = {}): object => ({ ethAddress: account(nth), accountValue: '1000.0', windowPerformances: [['day', { pnl: '999999', roi: '0', vlm: '0' }], ['month', { pnl: month, roi: '0', vlm: '0' }]], prize: 0, displayName: null, ...more })
const state = { marginSummary: { accountValue: '1000.0', totalNtlPos: '500.0', totalRawUsd: '500.0', totalMarginUsed: '50.0' }, crossMarginSummary: { accountValue: '1000.0', totalNtlPos: '500.0', totalRawUsd: '500.0', totalMarginUsed: '50.0' }, crossMaintenanceMarginUsed: '5.0', withdrawable: '900.0',
  assetPositions: [{ type: 'oneWay', position: { coin: 'BTC', szi: '0.01', leverage: { type: 'cross', value: 10 }, entryPx: '50000.0', positionValue: '500.0', unrealizedPnl: '0.0', returnOnEquity: '0.0', liquidationPx: '46000.0', marginUsed: '50.0', maxLeverage: 40, cumFunding: { allTime: '0.0', sinceOpen: '0.0', sinceChange: '0.0' } } }], time: Date.now() - 1_000 }

describe('accounts that the leaderboard names', function () {
  this.timeout(90_000)
  const trackedSql = loadSql(new URL('../../../stages/ingest/hyperliquid/source.ts', import.meta.url).href, 'tracked.sql')

  it('are those that earned most over 30 days by the newest leaderboard the venue said, without those that are followed, empty or made', async () => {
    const { store } = await freshStore()
    const named = async (most: number, followed: string[] = []): Promise<string[]> => (await store.query(trackedSql, { chain: 'HL', most, suspects: 0, followed }, Named)).map((one) => one.name)
    const ask = { type: 'leaderboard' }, now = Date.now()
    assert.deepEqual(await named(5), [])
    await insertHeard(store, 1, [infoAnswer(ask, { leaderboardRows: [row(9, '1000000')] }, now - 60_000)])
    await insertHeard(store, 2, [infoAnswer(ask, { leaderboardRows: [row(1, '-5'), row(2, '70.5'), row(3, '70.25'), row(4, '900'), row(5, '100000', { accountValue: '0.0' }), row(6, '3', { windowPerformances: [['day', { pnl: '1', roi: '0', vlm: '0' }]] }), row(4, '1')] }, now - 30_000)])
    await insertHeard(store, 3, [infoAnswer(ask, { leaderboardRows: [] }, now - 20_000)])
    await digest(store, 1, 3)
    await store.execute(`INSERT INTO hl_leaderboard SELECT * REPLACE('synthetic' AS source, now64(3) AS heard_at) FROM hl_leaderboard WHERE account = unhex('${account(9).slice(2)}')`)
    assert.deepEqual([await named(3), await named(10, [account(4)])], [[4, 2, 3].map(account), [2, 3, 1].map(account)])
  })

  it('and the most suspected beside them, but those that are made', async () => {
    const { store } = await freshStore()
    const named = async (suspects: number, followed: string[] = []): Promise<string[]> => (await store.query(trackedSql, { chain: 'HL', most: 5, suspects, followed }, Named)).map((one) => one.name)
    const suspected = (hex: string, suspicion: number): Promise<unknown> => store.execute(`INSERT INTO hl_traders (chain, account, judged_at, last_at, suspicion, version) VALUES ('HL', unhex('${hex}'), now64(3), now64(3), ${suspicion}, 1)`)
    await insertHeard(store, 1, [infoAnswer({ type: 'leaderboard' }, { leaderboardRows: [row(1, '5'), row(2, '70.5')] }, Date.now() - 30_000)])
    await digest(store, 1, 1)
    for (const [nth, suspicion] of [[1, 90], [5, 45], [6, 60], [7, 0]] as const) await suspected(account(nth).slice(2), suspicion)
    await suspected(`53594e54${'00'.repeat(16)}`, 95)
    assert.deepEqual([await named(10), await named(2), await named(10, [account(6)])], [[2, 1, 6, 5].map(account), [2, 1, 6].map(account), [2, 1, 5].map(account)])
  })

  it('are asked about once a minute each, or as often as a quarter of the weight lets', () => {
    assert.deepEqual([1, 100, 150, 300, 1_000].map((accounts) => trackGapMs(accounts, 1_200)), [60_000, 600, 400, 400, 400])
    assert.deepEqual([trackGapMs(100, 400), trackGapMs(100, 1_200, 'userNonFundingLedgerUpdates')], [1_200, 4_000])
  })

  it('have their turn one after the other; a refusal leaves the others theirs, and whom to ask about is looked up each round', async () => {
    const asked: string[] = [], failed: string[] = []
    let rounds = 0
    const venue = await startVenue({ answer: ({ type, user }) => { if (type !== 'clearinghouseState') return undefined; asked.push(String(user)); return user === account(2) ? undefined : state } })
    const rest = openRest(venue.url, 1_000_000, () => undefined)
    const whom = [[], [account(1), account(2), account(3)], [account(4)]]
    const accounts = (): Promise<readonly string[]> => { rounds += 1; return rounds === 2 ? Promise.reject(new Error('the store is away')) : Promise.resolve(whom[Math.min(rounds > 2 ? rounds - 2 : 0, 2)] ?? []) }
    const tracked = openTracked({ accounts, dexes: () => [''], perMinute: 1_000_000, roles: () => Promise.resolve([]) }, rest, (reason) => { failed.push(reason) }, 1_000)
    try { await until(() => Promise.resolve(asked.length >= 5), 'not all were asked about') } finally { tracked.close(); await rest.close(); await venue.close() }
    assert.deepEqual(asked.slice(0, 5), [1, 2, 3, 4, 4].map(account))
    assert.deepEqual([failed[0], failed[1]?.slice(0, 42), failed.length], ['the store is away', account(2), 2])
  })

  it('are asked what came in and went out, a few a round, each once an hour and from where it was told last', async () => {
    const asked: string[] = []
    const venue = await startVenue({ answer: ({ type, user, startTime }) => {
      if (type === 'clearinghouseState') return state
      if (type === 'userNonFundingLedgerUpdates') asked.push(`${String(user).at(-1)} ${String(startTime)}`)
      return type === 'userNonFundingLedgerUpdates' ? [{ time: 7, hash: `0x${'00'.repeat(32)}`, delta: { type: 'deposit', usdc: '1' } }] : undefined
    } })
    const rest = openRest(venue.url, 1_000_000, () => undefined)
    const tracked = openTracked({ accounts: () => Promise.resolve([1, 2, 3, 4].map(account)), dexes: () => [''], perMinute: 1_000_000, roles: () => Promise.resolve([]) }, rest, (reason) => { assert.fail(reason) }, 10_000)
    try { await until(() => Promise.resolve(asked.length >= 5), 'not all were asked about') } finally { tracked.close(); await rest.close(); await venue.close() }
    assert.deepEqual([asked.slice(0, 4), asked[4]?.slice(1)], [['1 0', '2 0', '3 0', '4 0'], ' 7'])
  })

  it('are asked about on the dexes of others too, one of them a round', async () => {
    const asked: string[] = []
    const venue = await startVenue({ answer: ({ type, user, dex }) => { if (type !== 'clearinghouseState') return undefined; asked.push(`${String(user).at(-1)}${dex === undefined ? '' : String(dex)}`); return state } })
    const rest = openRest(venue.url, 1_000_000, () => undefined)
    const tracked = openTracked({ accounts: () => Promise.resolve([account(1), account(2)]), dexes: () => ['', 'xyz', 'abc'], perMinute: 1_000_000, roles: () => Promise.resolve([]) }, rest, (reason) => { assert.fail(reason) }, 1_000)
    try { await until(() => Promise.resolve(asked.length >= 9), 'not all were asked about') } finally { tracked.close(); await rest.close(); await venue.close() }
    assert.deepEqual(asked.slice(0, 9), ['1', '1xyz', '2', '2xyz', '1', '1abc', '2', '2abc', '1'])
  })

  describe('by a source that listens', () => {
    let venue: Venue, store: Store, asked: Question[], environment: Record<string, string>
    before(async () => {
      asked = []
      venue = await startVenue({ answer: (question) => { asked.push(question); return question['type'] === 'leaderboard' ? { leaderboardRows: [row(1, '10'), row(2, '30'), row(3, '20')] } : question['type'] === 'clearinghouseState' ? state : undefined } })
      const fresh = await freshStore()
      store = fresh.store
      environment = { CLICKHOUSE_URL: fresh.url, CLICKHOUSE_DATABASE: fresh.database, HL_API_URL: venue.url, HL_SEGMENT_MS: '20', HL_COINS: 'BTC', HL_BOOK_COINS: 'BTC', HL_ACCOUNTS: account(2).toUpperCase().replace('X', 'x') }
    })
    after(() => venue.close())
    const count = async (sql: string): Promise<number> => (await store.query(`SELECT count() AS count FROM ${sql}`, {}, z.object({ count: z.coerce.number() })))[0]?.count ?? 0
    const top = async (): Promise<number> => (await store.query("SELECT max(number) AS number FROM raw_payloads WHERE chain = 'HL'", {}, z.object({ number: z.coerce.number() })))[0]?.number ?? 0
    const listening = async (more: Record<string, string>, enough: () => Promise<boolean>): Promise<void> => {
      const source = openHyperliquidSource(parseConfig({ ...environment, ...more }))
      try { await source.head().catch(() => undefined); await until(enough, 'it was not heard') } finally { await source.close() }
    }

    it('no leaderboard is asked for unless somebody says where it is', async () => {
      await listening({}, async () => await count(`raw_payloads WHERE JSONExtractString(receipts, 'type') = 'clearinghouseState'`) > 0)
      assert.equal(venue.counters.asked['leaderboard'], undefined)
    })

    it('the leaderboard is asked for at once; whom it names is asked about by the next who listens, and their positions land beside those of followed accounts', async () => {
      const more = { HL_LEADERBOARD_URL: venue.leaderboardUrl, HL_TRACK: '2' }
      await listening(more, async () => await count(`raw_payloads WHERE JSONExtractString(receipts, 'type') = 'leaderboard'`) > 0)
      await digest(store, 1, await top())
      assert.equal(await count('hl_leaderboard'), 6)
      asked.length = 0
      await listening({ ...more, HL_WEIGHT_PER_MINUTE: '1000000' }, async () => await count(`raw_payloads WHERE JSONExtractString(receipts, 'type') = 'clearinghouseState' AND JSONExtractString(receipts, 'user') = '${account(3)}'`) > 0)
      const from = await top()
      await digest(store, 1, from)
      assert.ok(asked.filter(({ type, user }) => type === 'clearinghouseState' && user === account(3)).length >= 1)
      assert.deepEqual((await store.query("SELECT DISTINCT concat('0x', lower(hex(account))) AS account FROM hl_positions WHERE szi = 0.01 AND liquidation_px = 46000 ORDER BY account", {}, Account)).map((one) => one.account), [2, 3].map(account))
      assert.equal(await count('hl_newest_positions FINAL'), 2)
    })
  })
})
