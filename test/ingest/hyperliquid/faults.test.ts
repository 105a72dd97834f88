/** The venue's faults, from the socket to rows: cuts, repeats, disorder, garbage, refusals. No loss, no double, and a gap where something was missed. */
import assert from 'node:assert/strict'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { startVenue, type Venue } from '../../../scripts/replay-node/hyperliquid/server.js'
import { parseConfig } from '../../../schemas/config.js'
import type { Store } from '../../../schemas/clickhouse.js'
import { openHyperliquidSource } from '../../../stages/ingest/hyperliquid/source.js'
import type { Source } from '../../../stages/stage.js'
import { digest } from '../../support/hyperliquid.js'
import { until } from '../../support/pipeline.js'
import { freshStore } from '../../support/servers.js'

const accounts = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`]
const start = Date.now() - 3_600_000
const tradeOf = (tid: number) => ({ coin: 'BTC', side: tid % 2 === 0 ? 'A' : 'B', px: '84134.0', sz: '0.002', time: start + tid, hash: `0x${'ab'.repeat(32)}`, tid, users: accounts })
const Text = z.object({ row: z.string() })

describe('listening to Hyperliquid', function () {
  this.timeout(90_000)
  let venue: Venue, store: Store, source: Source, environment: Record<string, string>
  /** Trades the venue would list when asked. */
  let recent: object[] = []
  before(async () => {
    venue = await startVenue({ answer: ({ type, coin }) => (type === 'recentTrades' && coin === 'BTC' ? recent : type === 'meta' ? { universe: [{ name: 'BTC', szDecimals: 5, maxLeverage: 40 }] } : type === 'metaAndAssetCtxs' ? [{ universe: [{ name: 'BTC', szDecimals: 5, maxLeverage: 40 }, { name: 'GONE', szDecimals: 1, maxLeverage: 3, isDelisted: true }] }, []] : undefined) })
  })
  after(() => venue.close())
  const open = (): Source => openHyperliquidSource(parseConfig(environment))
  beforeEach(async () => {
    const fresh = await freshStore()
    store = fresh.store
    environment = { CLICKHOUSE_URL: fresh.url, CLICKHOUSE_DATABASE: fresh.database, HL_API_URL: venue.url, HL_SEGMENT_MS: '20', HL_BOOK_COINS: 'BTC' }
    recent = []
    source = open()
  })
  afterEach(() => source.close())

  const rows = async (sql: string): Promise<string[]> => (await store.query(sql, {}, Text)).map(({ row }) => row)
  const head = async (): Promise<number> => { try { return (await source.head()).number } catch { return 0 } }
  const heard = (what: string): Promise<boolean> => rows(`SELECT toString(count()) AS row FROM raw_payloads WHERE position(payload, '${what}') > 0`).then(([count]) => count !== '0')
  const subscribed = async (): Promise<void> => { await head(); await until(() => heard('"method":"subscribe","subscription":{"type":"trades","coin":"BTC"}'), 'nothing subscribed') }
  const say = (...tids: number[]): void => { venue.say(JSON.stringify({ channel: 'trades', data: tids.map(tradeOf) })) }
  const worked = async (): Promise<string[]> => { const [top] = await rows('SELECT toString(max(number)) AS row FROM raw_payloads'); await digest(store, 1, Number(top)); return rows('SELECT toString(tid) AS row FROM hl_trades ORDER BY tid') }

  it('keeps every payload, in segments that stand on each other, and hears only coins that are traded', async () => {
    await subscribed()
    say(1, 2)
    await until(() => heard('"tid":2'), 'trades were not stored')
    assert.deepEqual(await worked(), ['1', '2'])
    assert.deepEqual(await rows(`SELECT DISTINCT JSONExtractString(payload, 'data', 'subscription', 'coin') AS row FROM raw_payloads WHERE kind = 'ws' AND position(payload, 'activeAssetCtx') > 0`), ['BTC'])
    const top = await head()
    for (let number = 2; number <= top; number += 1) assert.equal((await source.header(number))?.parentHash, (await source.header(number - 1))?.hash)
    assert.deepEqual(await rows('SELECT coin AS row FROM hl_coins WHERE delisted'), await rows('SELECT coin AS row FROM hl_coins WHERE coin = \'GONE\''))
  })

  it('repeats, disorder, times that go back and garbage lose nothing and double nothing', async () => {
    await subscribed()
    for (const tids of [[3, 1], [2], [2, 3], [5], [4, 1]]) say(...tids)
    venue.say('{"channel":"trad')
    venue.say('null')
    say(6)
    await until(() => heard('"tid":6'), 'the last trade was not stored')
    assert.deepEqual(await worked(), ['1', '2', '3', '4', '5', '6'])
    assert.ok((await rows('SELECT reason AS row FROM hl_unknown')).includes('not JSON'))
  })

  it('after a cut it comes back, asks for what it missed, and where the answer reaches back there is no gap', async () => {
    await subscribed()
    say(1)
    await until(() => heard('"tid":1,'), 'the trade was not stored')
    recent = [{ ...tradeOf(1), time: start - 10 }, tradeOf(2), tradeOf(3)]
    const before = venue.counters.subscriptions
    venue.cut()
    await until(async () => venue.counters.subscriptions > before && heard('"tid":3'), 'it did not come back')
    say(3, 4)
    await until(async () => await heard('"tid":4') && heard('"state":"over"'), 'nothing was heard after the cut')
    assert.deepEqual([...new Set(await worked())], ['1', '2', '3', '4'])
    assert.deepEqual(await rows('SELECT coin AS row FROM hl_standing_gaps'), [])
  })

  it('where the answer does not reach back to the cut, a gap says so', async () => {
    await subscribed()
    recent = [{ ...tradeOf(9), time: Date.now() + 5_000 }]
    venue.cut()
    await until(() => heard('"state":"over"'), 'no gap was told')
    await worked()
    assert.deepEqual(await rows(`SELECT concatWithSeparator(' ', channel, coin, toString(to_time >= from_time)) AS row FROM hl_standing_gaps`), ['trades BTC 1'])
  })

  it('with our clock ahead of the venue\'s, what it said between the last trade heard and the cut is not taken for heard', async () => {
    await subscribed()
    const behind = Date.now() - 10_000
    venue.say(JSON.stringify({ channel: 'trades', data: [{ ...tradeOf(1), time: behind }] }))
    await until(() => heard('"tid":1,'), 'the trade was not stored')
    recent = [{ ...tradeOf(3), time: behind + 6_000 }]
    venue.cut()
    await until(() => heard('"state":"over"'), 'no gap was told')
    await worked()
    assert.deepEqual(await rows(`SELECT concatWithSeparator(' ', coin, toString(toUnixTimestamp64Milli(from_time) - ${behind}), toString(toUnixTimestamp64Milli(to_time) - ${behind})) AS row FROM hl_standing_gaps`), ['BTC 0 6000'])
  })

  it('who starts again asks for what was said while nobody listened', async () => {
    await subscribed()
    say(1)
    await until(() => heard('"tid":1,'), 'the trade was not stored')
    await source.close()
    recent = [{ ...tradeOf(1) }, { ...tradeOf(2), time: Date.now() }]
    source = open()
    await head()
    await until(async () => await heard('"tid":2') && heard('"state":"over"'), 'it did not ask')
    assert.deepEqual([await worked(), await rows('SELECT reason AS row FROM hl_standing_gaps')], [['1', '2'], []])
    await source.close()
    recent = [{ ...tradeOf(3), time: Date.now() + 5_000 }]
    source = open()
    await head()
    await until(() => rows(`SELECT toString(countIf(position(payload, '"state":"over"') > 0)) AS row FROM raw_payloads WHERE kind = 'gap'`).then(([count]) => Number(count) >= 2), 'no gap was told')
    await worked()
    assert.deepEqual(await rows('SELECT reason AS row FROM hl_standing_gaps'), ['nobody listened'])
  })

  it('stops and goes on: a new listener takes the next segment, and two of them never share one', async () => {
    await subscribed()
    say(1)
    await until(() => heard('"tid":1,'), 'the trade was not stored')
    const other = open()
    await other.head()
    await until(async () => venue.counters.connections >= 2 && Number((await rows(`SELECT toString(count()) AS row FROM raw_payloads WHERE position(payload, '"type":"trades"') > 0`))[0]) >= 2, 'the second does not listen')
    say(2, 3)
    await until(() => heard('"tid":3'), 'nobody has heard')
    await other.close()
    // What both heard in the same millisecond they may share: then it is the same segment.
    assert.deepEqual(await worked(), ['1', '2', '3'])
    assert.deepEqual(await rows(`SELECT toString(number) AS row FROM raw_payloads GROUP BY number HAVING uniqExact(block_hash) > 1`), [])
  })

  it('a node\'s files are read as they grow, whole lines only, and not again by the next worker', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hl-files-'))
    const fill = (tid: number, user: number, side: string) => JSON.stringify([accounts[user], { coin: 'ETH', px: '2000.5', sz: '1.0', side, time: start + tid, startPosition: '0.0', dir: 'Open Long', closedPnl: '0.0', hash: `0x${'cd'.repeat(32)}`, oid: 1, crossed: side === 'B', fee: '0.1', tid, feeToken: 'USDC' }])
    try {
      const hour = join(folder, 'node_fills/hourly/20260924')
      mkdirSync(hour, { recursive: true })
      writeFileSync(join(hour, '7'), `${fill(1, 0, 'B')}\n${fill(1, 1, 'A')}\n${fill(2, 0, 'B').slice(0, 40)}`)
      const { HL_API_URL: _, ...rest } = environment
      const of = (): Source => openHyperliquidSource(parseConfig({ ...rest, HL_FILES_DIR: folder }))
      await source.close()
      source = of()
      await head()
      await until(() => heard('"tid":1,'), 'the first lines were not read')
      appendFileSync(join(hour, '7'), `${fill(2, 0, 'B').slice(40)}\n${fill(2, 1, 'A')}\n`)
      await until(() => heard('"tid":2,'), 'the rest was not read')
      await source.close()
      source = of()
      await head()
      appendFileSync(join(hour, '8'), `${fill(3, 0, 'B')}\n`)
      await until(() => heard('"tid":3,'), 'the next hour was not read')
      assert.deepEqual(await worked(), ['1', '2'])
      assert.deepEqual(await rows(`SELECT concat(toString(tid), ' ', toString(count())) AS row FROM hl_read_fills GROUP BY tid ORDER BY tid`), ['1 2', '2 2', '3 1'])
    } finally { rmSync(folder, { recursive: true, force: true }) }
  })

  it('a 429 is waited out', async () => {
    venue.refuse(1)
    await head()
    await until(async () => venue.counters.refused === 1 && heard('"universe"'), 'it did not ask again', 60)
  })
})
