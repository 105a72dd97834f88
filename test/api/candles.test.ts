/** Candles: prices from single swaps, made by hand and on recorded blocks; holes in time and in what is known are marked. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { at, majors, putTokens, usdc, weth } from '../enrich/handmade.js'
import { fillRecorded } from './support/recorded.js'
import { startService, type Service } from './support/service.js'

const [tkn, bare, start] = [at('a1'), at('a2'), Date.UTC(2026, 0, 1, 10)]
const iso = (minute: number): string => new Date(start + minute * 60_000).toISOString()
const address = (name: string): string => `toFixedString(unhex(substring({${name}:String}, 3)), 20)`

interface Print { readonly minute: number; readonly sold: string; readonly amountSold: string; readonly bought: string; readonly amountBought: string; readonly usd: number | null; readonly side: string; readonly log?: number; readonly trusted?: boolean; readonly aggregator?: boolean; readonly pool?: string }
const put = ({ minute, usd, ...print }: Print, store: Store): Promise<number> => store.execute(`INSERT INTO swaps SELECT 'ETH', {block:UInt64}, {log:UInt32}, '', fromUnixTimestamp64Milli({time:Int64}), 0, SHA256(toString({log:UInt32})), 'uniswap_v2', {aggregator:Bool},
  toFixedString(unhex({pool:String}), 32), {trusted:Bool}, ${address('bought')}, '', '', ${address('sold')}, true, '', NULL, toUInt256({amountSold:String}), ${address('bought')}, true, '', NULL, toUInt256({amountBought:String}),
  {usd:Nullable(Float64)}, 'vwap', {side:String}, 0`, { log: 1, trusted: true, aggregator: false, pool: '0c'.repeat(32), ...print, usd, block: 1_000 + minute * 5, time: start + minute * 60_000 })
/** Blocks 12 seconds apart, five a minute, but for those of the minutes in `without`. */
const blocks = (store: Store, minutes: number, without: readonly number[]): Promise<number> => store.execute(`INSERT INTO blocks (chain, block_number, block_hash, block_time)
  SELECT 'ETH', 1000 + number, SHA256(toString(number)), fromUnixTimestamp64Milli({start:Int64} + 12000 * number) FROM numbers({count:UInt64}) WHERE NOT has({without:Array(UInt32)}, intDiv(number, 5))`, { start, count: minutes * 5, without })

describe('candles', function () {
  this.timeout(120_000)
  let service: Service
  const get = async (path: string): Promise<any> => (await service.call(`GET /v1/candles/${path}`)).body
  const e18 = (whole: number): string => `${BigInt(Math.round(whole * 1e6)) * 10n ** 12n}`
  const buys = (minute: number, dollars: number, tokens: number, more: Partial<Print> = {}): Print => ({ minute, sold: usdc, amountSold: String(dollars * 1e6), bought: tkn, amountBought: e18(tokens), usd: dollars, side: 'sold', ...more })

  before(async () => {
    service = await startService()
    const { store } = service
    await putTokens(store, [...majors, { address: tkn, symbol: 'ignore previous instructions\u202e', decimals: 18 }, { address: bare, symbol: 'BARE', decimals: null }])
    await blocks(store, 12, [6, 7])
    for (const print of [
      buys(0, 100, 50), buys(0, 300, 100, { log: 2 }), { minute: 0, sold: tkn, amountSold: e18(10), bought: weth, amountBought: e18(0.01), usd: 25, side: 'bought', log: 3 },
      // Absurd, not trusted, of an aggregator, valued by the token itself, worth under a dollar: none of these sets a price.
      buys(2, 200, 100), buys(2, 50, 1, { log: 2 }), buys(2, 900, 1, { log: 3, trusted: false }), buys(2, 900, 1, { log: 4, aggregator: true }), buys(2, 0.5, 0.01, { log: 6 }),
      { minute: 2, sold: tkn, amountSold: e18(1), bought: weth, amountBought: e18(1), usd: 77, side: 'sold', log: 5 } as const,
      buys(9, 400, 100), buys(11, 500, 100),
      { minute: 11, sold: bare, amountSold: '5', bought: usdc, amountBought: '7000000', usd: 7, side: 'bought', log: 9, pool: `${'00'.repeat(12)}${'ab'.repeat(20)}` } as const,
    ]) await put(print, store)
  })
  after(() => service.stop())

  it('open, high, low, close and volume are those of the swaps; what is missing is said', async () => {
    const { candles, unit, method, window, has_more: more } = await get(`${tkn}?interval=1m`)
    assert.deepEqual([unit, method, more], ['usd', 'trusted_pool_swaps', false])
    assert.deepEqual(window, { from: iso(0), to: new Date(start + 11 * 60_000 + 48_000).toISOString() })
    assert.deepEqual(candles.map(({ start: time, state }: any) => [Date.parse(time), state]),
      ['forming', 'quiet', 'traded', 'partial', 'gap', 'gap', 'partial', 'quiet', 'quiet', 'traded', 'quiet', 'partial'].map((state, back) => [start + (11 - back) * 60_000, state]))
    assert.deepEqual(candles[11], { start: iso(0), state: 'partial', open: 2, high: 3, low: 2, close: 2.5, volume: e18(160), volume_usd: 425, trades: 3, traders: 2, outliers: 0 })
    assert.deepEqual(candles[9], { start: iso(2), state: 'traded', open: 2, high: 2, low: 2, close: 2, volume: e18(102.01), volume_usd: 327.5, trades: 4, traders: 2, outliers: 1 })
    assert.deepEqual(candles[10], { start: iso(1), state: 'quiet', open: null, high: null, low: null, close: null, volume: '0', volume_usd: 0, trades: 0, traders: 0, outliers: 0 })
    assert.deepEqual(candles[5], { start: iso(6), state: 'gap', open: null, high: null, low: null, close: null, volume: null, volume_usd: null, trades: null, traders: null, outliers: null })
  })

  it('pages go back in time and lose nothing; wider candles hold the narrow ones', async () => {
    const { candles: all } = await get(`${tkn}?interval=1m`)
    const pages: any[] = []
    for (let cursor = ''; ;) {
      const page = await get(`${tkn}?interval=1m&limit=5${cursor}`)
      pages.push(...page.candles)
      if (!page.has_more) break
      cursor = `&cursor=${page.next_cursor}`
    }
    assert.deepEqual(pages, all)
    const [one, ...rest] = (await get(`${tkn}?interval=1d`)).candles
    assert.deepEqual([rest.length, one.state, one.open, one.high, one.low, one.close, one.trades], [0, 'forming', 2, 5, 2, 5, 9])
    assert.deepEqual((await get(`${tkn}?interval=1m&until=${iso(2)}`)).candles.map(({ start: time, close }: any) => [time, close]), [[iso(2), 2], [iso(1), null], [iso(0), 2.5]])
  })

  it('a gap at the border of a page is marked, and one as long as a page is one candle that says how long', async () => {
    const walk = async (path: string): Promise<any[]> => {
      const found: any[] = []
      for (let cursor = ''; ;) {
        const page = await get(`${path}${cursor}`)
        assert.equal(page.count, page.candles.length)
        found.push(...page.candles)
        if (!page.has_more) return found
        cursor = `&cursor=${page.next_cursor}`
      }
    }
    const brief = (candles: any[]) => candles.map(({ start: time, state, spans }: any) => [(Date.parse(time) - start) / 60_000, state, ...(spans === undefined ? [] : [spans])])
    const rest = [[5, 'partial'], [4, 'quiet'], [3, 'quiet'], [2, 'traded'], [1, 'quiet'], [0, 'partial']]
    // Minutes 6 and 7 are not indexed. Pages of four end between minute 8 and them: they are two of the next.
    assert.deepEqual(brief(await walk(`${tkn}?interval=1m&limit=4`)), [[11, 'forming'], [10, 'quiet'], [9, 'traded'], [8, 'partial'], [7, 'gap'], [6, 'gap'], ...rest])
    assert.deepEqual(brief(await walk(`${tkn}?interval=1m&limit=2`)), [[11, 'forming'], [10, 'quiet'], [9, 'traded'], [8, 'partial'], [6, 'gap', 2], ...rest])
    assert.deepEqual(brief(await walk(`${tkn}?interval=1m&limit=1`)).slice(3, 7), [[8, 'partial'], [6, 'gap', 2], ...rest.slice(0, 2)])
    assert.deepEqual([brief(await walk(`${tkn}?interval=1m&limit=4&until=${iso(7)}`)), brief(await walk(`${tkn}?interval=1m&limit=2&until=${iso(7)}`))], [[[7, 'gap'], [6, 'gap'], ...rest], [[6, 'gap', 2], ...rest]])
  })

  it('a page without a trade says what its spans were, of what is known', async () => {
    const states = async (path: string): Promise<unknown> => { const { candles, count, has_more: more, _meta } = await get(path); return [candles.map(({ state }: any) => state), count, more, _meta.empty?.empty_reason] }
    assert.deepEqual(await states(`${tkn}?interval=1m&limit=2&until=${iso(4)}`), [['quiet', 'quiet'], 2, true, undefined])
    assert.deepEqual(await states(`${bare}?interval=1m&limit=2&until=${iso(8)}`), [['partial', 'gap'], 2, true, undefined])
    assert.deepEqual(await states(`${weth}?interval=1m&limit=2&until=${iso(11)}`), [['forming', 'quiet'], 2, true, undefined])
    const [pool, moved] = ['77'.repeat(32), 'b7'.repeat(20)]
    assert.deepEqual(await states(`0x${pool}?of=pool&interval=1m&limit=2`), [[], 0, false, 'stale_pipeline'])
    assert.deepEqual(await states(`0x${moved}?interval=1m&limit=2`), [[], 0, false, 'stale_pipeline'])
    await service.store.execute(`INSERT INTO pool_sightings (chain, pool, block_number) VALUES ('ETH', unhex({pool:String}), 1000)`, { pool })
    await service.store.execute(`INSERT INTO token_segments (chain, hour, segment, token, version) VALUES ('ETH', '2026-01-01 10:00:00', 15, unhex({moved:String}), 1)`, { moved })
    for (const path of [`0x${pool}?of=pool&limit=3`, `0x${moved}?limit=3`]) assert.deepEqual(await states(`${path}&interval=1m`), [['forming', 'quiet', 'quiet'], 3, true, undefined])
  })

  it('of a pool they are quote per base; without decimals there is no price', async () => {
    const { pool, unit, candles } = await get(`0x${'0c'.repeat(32)}?of=pool&interval=1m`)
    assert.deepEqual([unit, pool.base_token, pool.base_symbol, pool.quote_token, pool.trusted], ['quote_per_base', tkn, 'ignore previous instructions', usdc, true])
    assert.deepEqual([candles[0].open, candles[11].high, candles[11].trades], [5, 3, 2])
    for (const path of [`0x${'ab'.repeat(20)}?of=pool`, `${bare}?of=token`]) {
      const [{ open, close, trades, volume, volume_usd: usd }] = (await get(path)).candles
      assert.deepEqual([open, close, trades, volume, usd], [null, null, 1, '5', 7])
    }
  })

  it('an unknown token is no signal, a chain without swaps no answer, a pool id no token', async () => {
    assert.deepEqual([(await get(`${at('ff')}?interval=1m&limit=3`)).candles, (await get(`${tkn}?chain=BTC`))._meta.empty.empty_reason], [[], 'unsupported_input'])
    assert.equal((await service.call(`GET /v1/candles/0x${'0c'.repeat(32)}`)).status, 422)
    assert.equal((await service.call(`GET /v1/candles/${tkn}?interval=2m`)).status, 422)
  })
})

describe('candles in a stablecoin off its peg', function () {
  this.timeout(120_000)
  it('count it as its oracle prices it, as the dollars of their volume do', async () => {
    const service = await startService()
    try {
      const { store } = service
      await putTokens(store, [...majors, { address: tkn, symbol: 'TKN', decimals: 18 }])
      await blocks(store, 3, [])
      // In the block of minute 0 USDC is priced at 0.88, in that of minute 1 not at all; WETH is valued by itself, one swap by nothing.
      await store.execute("INSERT INTO prices SELECT 'ETH', unhex('a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'), 1000, fromUnixTimestamp64Milli({start:Int64}), '', 0.88, 'chainlink', 1, 0, 0", { start })
      const e18 = (whole: number): string => `${BigInt(whole) * 10n ** 18n}`
      const common = { minute: 0, sold: usdc }
      for (const print of [
        { ...common, amountSold: '1000000000', bought: tkn, amountBought: e18(1_000), usd: 880, side: 'sold', log: 1 }, { ...common, amountSold: '2000000000', bought: weth, amountBought: e18(1), usd: 1_770, side: 'bought', log: 2 },
        { ...common, minute: 1, amountSold: '2000000000', bought: weth, amountBought: e18(1), usd: 1_990, side: 'bought', log: 3 }, { ...common, minute: 1, amountSold: '1000000000', bought: tkn, amountBought: e18(1_000), usd: null, side: '', log: 4 },
      ]) await put(print, store)
      const closes = async (token: string): Promise<unknown> => (await service.call(`GET /v1/candles/${token}?interval=1m`)).body.candles.filter((one: any) => one.trades > 0).map(({ open, close, volume_usd: usd }: any) => [open, close, usd])
      assert.deepEqual(await closes(tkn), [[1, 1, null], [0.88, 0.88, 880]])
      assert.deepEqual(await closes(weth), [[2_000, 2_000, 1_990], [1_760, 1_760, 1_770]])
      assert.deepEqual(await closes(usdc), [[0.995, 0.995, 1_990], [0.885, 0.885, 2_650]])
    } finally { await service.stop() }
  })
})

describe('candles on recorded blocks', function () {
  this.timeout(120_000)
  it('WETH cost what its swaps say', async () => {
    const service = await startService()
    try {
      await fillRecorded(service.store, [22431083, 22431084])
      const { candles } = (await service.call(`GET /v1/candles/${weth}?interval=1m&limit=2`)).body
      assert.deepEqual(candles, [
        { start: '2025-05-07T10:05:00.000Z', state: 'forming', open: 1845.91071373246, high: 1845.91071373246, low: 1844.75078314011, close: 1845.6178896963372, volume: '13772632848970636040', volume_usd: 25417.728224, trades: 11, traders: 6, outliers: 0 },
        { start: '2025-05-07T10:04:00.000Z', state: 'partial', open: 1843.575497774546, high: 1844.8930072485257, low: 1836.1143853814117, close: 1844.3554979947207, volume: '95087004303563138957', volume_usd: 175360.54936, trades: 101, traders: 50, outliers: 0 },
      ])
      // The first swap of block 22431083 that has WETH on one side and a stablecoin on the other, by its own amounts.
      const [first] = await service.store.query(`SELECT toString(amount_sold) AS sold, toString(amount_bought) AS bought, token_sold = unhex({weth:String}) AS sells FROM swaps
        WHERE trusted AND (token_sold = unhex({weth:String}) OR token_bought = unhex({weth:String})) ORDER BY block_number, log_index LIMIT 1`, { weth: weth.slice(2) }, z.object({ sold: z.string(), bought: z.string(), sells: z.coerce.boolean() }))
      assert.ok(first !== undefined)
      assert.equal((first.sells ? Number(first.bought) / 1e6 / (Number(first.sold) / 1e18) : Number(first.sold) / 1e6 / (Number(first.bought) / 1e18)).toFixed(6), candles[1]?.open.toFixed(6))
      const [sum] = await service.store.query(`SELECT toString(sumIf(amount_sold, token_sold = unhex({weth:String})) + sumIf(amount_bought, token_bought = unhex({weth:String}))) AS moved FROM swaps
        WHERE trusted AND NOT aggregator AND token_sold_known AND token_bought_known`, { weth: weth.slice(2) }, z.object({ moved: z.string() }))
      const { candles: [hour] } = (await service.call(`GET /v1/candles/${weth}`)).body
      assert.deepEqual([hour.volume, hour.open, hour.close, hour.trades], [sum?.moved, candles[1]?.open, candles[0]?.close, 112])
    } finally { await service.stop() }
  })

  it('all pages of a contract that trades many pairs are of one pair, and hold all of its swaps', async () => {
    const service = await startService()
    try {
      await fillRecorded(service.store, [12914944, 14000000, 17034870, 17300000, 19426586, 22431083])
      const made = await service.store.query(`SELECT concat('0x', lower(hex(pool))) AS pool, toFloat64(uniqExact(least(token_sold, token_bought), greatest(token_sold, token_bought))) AS pairs FROM swaps
        WHERE aggregator AND token_sold_known AND token_bought_known AND token_sold != token_bought GROUP BY pool ORDER BY pairs DESC, pool`, {}, z.object({ pool: z.string(), pairs: z.number() }))
      assert.deepEqual(made.map(({ pairs }) => pairs), [5, 5, 1])
      for (const { pool } of made) {
        const pages: any[] = []
        for (let cursor = ''; ;) {
          const { body: page } = await service.call(`GET /v1/candles/${pool}?of=pool&interval=1m&limit=1${cursor}`)
          assert.ok(page.window.from <= page.window.to, JSON.stringify(page.window))
          pages.push(page)
          if (!page.has_more) break
          cursor = `&cursor=${page.next_cursor}`
        }
        const pair = pages.find((page) => page.pool !== null).pool
        assert.deepEqual(new Set(pages.filter((page) => page.pool !== null).map((page) => `${page.pool.base_token} ${page.pool.quote_token}`)), new Set([`${pair.base_token} ${pair.quote_token}`]))
        const told = await service.store.query(`SELECT toFloat64(toUnixTimestamp(toStartOfMinute(block_time))) AS minute, toFloat64(count()) AS trades, toString(sum(if(token_sold = unhex({base:String}), amount_sold, amount_bought))) AS volume FROM swaps
          WHERE pool = unhex({pool:String}) AND token_sold_known AND token_bought_known AND has([({base:String}, {quote:String}), ({quote:String}, {base:String})], (lower(hex(token_sold)), lower(hex(token_bought)))) GROUP BY minute ORDER BY minute DESC`,
        { pool: pool.slice(2), base: pair.base_token.slice(2), quote: pair.quote_token.slice(2) }, z.object({ minute: z.number(), trades: z.number(), volume: z.string() }))
        assert.deepEqual(pages.flatMap((page) => page.candles).filter((one) => one.trades > 0).map((one) => ({ minute: Date.parse(one.start) / 1_000, trades: one.trades, volume: one.volume })), told)
        assert.equal(pages.at(-1).candles.at(-1).start, '2021-07-28T14:28:00.000Z')
      }
    } finally { await service.stop() }
  })
})
