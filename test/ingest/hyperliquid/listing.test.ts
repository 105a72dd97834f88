/** Coins that were named and are not there, and subscriptions that the venue does not take: told once, and no reason to cut off the others. */
import assert from 'node:assert/strict'
import { startVenue } from '../../../scripts/replay-node/hyperliquid/server.js'
import { openListing } from '../../../stages/ingest/hyperliquid/listing.js'
import { openRest } from '../../../stages/ingest/hyperliquid/rest.js'
import { choose, nothing } from '../../../stages/ingest/hyperliquid/room.js'
import { openSocket } from '../../../stages/ingest/hyperliquid/socket.js'
import { until } from '../../support/pipeline.js'

const listed = (...names: string[]) => ({ universe: names.map((name) => ({ name, szDecimals: 1, maxLeverage: 3 })) })
const traded = (...volumes: number[]) => volumes.map((volume) => ({ dayNtlVlm: String(volume) }))

describe('coins of a venue that are not named', () => {
  it('are all that it lists: its own perps, those of other dexes, spot; the most traded of others first; no answer takes nothing down', async () => {
    let dexes: (object | null)[] = [null, { name: 'abc' }, { name: 'xyz' }], down = false, now = 0
    const told: string[] = []
    const venue = await startVenue({ answer: ({ type, dex }) => (down && dex === 'xyz' ? 'down' : type === 'perpDexs' ? dexes
      : type === 'spotMetaAndAssetCtxs' ? [{ universe: [{ name: 'PURR/USDC' }, { name: '@1' }], tokens: [] }, [{ coin: '@1', dayNtlVlm: '9' }, { coin: 'PURR/USDC', dayNtlVlm: '5' }]]
      : type !== 'metaAndAssetCtxs' ? undefined : dex === 'abc' ? [listed('abc:A', 'abc:B'), traded(1, 30)] : dex === 'xyz' ? [listed('xyz:AAPL'), traded(20)] : [listed('BTC', 'ETH'), []]) })
    const rest = openRest(venue.url, 100_000, () => undefined)
    try {
      const { look, anew } = openListing([], rest, (reason) => { told.push(reason) }, () => now)
      const all = ['BTC', 'ETH', 'abc:B', 'xyz:AAPL', 'abc:A', '@1', 'PURR/USDC']
      assert.deepEqual([...(await look()).coins], all)
      const asked = venue.counters.asked['perpDexs']
      await look()
      assert.equal(venue.counters.asked['perpDexs'], asked)
      // What was traded of each, as far as the venue says; after a cut all of it is asked for at once.
      now += 1_000
      anew()
      assert.deepEqual([...(await look()).volumes].map(([coin, { usd, at }]) => `${coin} ${usd} ${at}`), ['abc:A 1 1000', 'abc:B 30 1000', 'xyz:AAPL 20 1000', '@1 9 1000', 'PURR/USDC 5 1000'])
      now += 600_000
      down = true
      for (const _ of [1, 2]) assert.deepEqual([...(await look()).coins], all)
      assert.deepEqual(told.map((reason) => reason.slice(0, 13)), ['coins of xyz:'])
      now += 600_000
      dexes = [null, { name: 'abc' }]
      assert.deepEqual([...(await look()).coins], all.filter((coin) => coin !== 'xyz:AAPL'))
    } finally { await rest.close(); await venue.close() }
  }).timeout(60_000)

  it('have room as far as it goes: trades before contexts, perps before HIP-3 before spot; what is heard stays heard; what is left out is told', () => {
    const coins = new Set(['BTC', 'ETH', 'x:A', 'x:B', '@1', '@2'])
    const of = ({ coins: trades, contexts, left }: ReturnType<typeof choose>) => [[...trades].join(' '), [...contexts].join(' '), left]
    assert.deepEqual(of(choose(coins, nothing, ['BTC', 'GONE'], 1, 16)), ['BTC ETH x:A x:B @1 @2', 'BTC ETH x:A x:B @1 @2', ''])
    assert.deepEqual(of(choose(coins, nothing, ['BTC'], 1, 14)), ['BTC ETH x:A x:B @1 @2', 'BTC ETH x:A x:B', 'contexts of 2 coins (spot) are not heard: the venue takes 14 subscriptions'])
    const tight = choose(coins, nothing, [], 0, 6)
    assert.deepEqual(of(tight), ['BTC ETH x:A', 'BTC ETH', 'trades of 1 coins (HIP-3), trades of 2 coins (spot), contexts of 2 coins (HIP-3), contexts of 2 coins (spot) are not heard: the venue takes 6 subscriptions'])
    // Another is more traded now.
    assert.deepEqual([...choose(new Set(['BTC', 'ETH', 'x:B', 'x:A']), tight, [], 0, 6).coins], ['BTC', 'ETH', 'x:A'])
    assert.deepEqual([...choose(new Set(['BTC', 'x:B', 'x:A']), tight, [], 0, 6).coins], ['BTC', 'x:A', 'x:B'])
    assert.deepEqual(of(choose(coins, nothing, [], 0, 2)), ['BTC', '', 'trades of 1 coins (perps), trades of 2 coins (HIP-3), trades of 2 coins (spot), contexts of 2 coins (perps), contexts of 2 coins (HIP-3), contexts of 2 coins (spot) are not heard: the venue takes 2 subscriptions'])
    for (const size of [3_000, 400]) { const many = choose(new Set([...coins, ...Array.from({ length: size }, (_, nth) => `C${nth}`)]), nothing, [], 10); assert.ok(many.coins.size + many.contexts.size + 21 <= 1_000) }
  })
})

describe('coins that the venue does not have', function () {
  this.timeout(60_000)
  it('are told once and heard when they appear; so are those that were taken down, and those of a dex', async () => {
    let names = ['BTC'], down = ['OLD'], dex: string[] | undefined
    const of = (coins: readonly string[]) => coins.map((name) => ({ name, szDecimals: 1, maxLeverage: 3, isDelisted: down.includes(name) }))
    const venue = await startVenue({ answer: ({ type, dex: asked }) => (type !== 'metaAndAssetCtxs' ? undefined : asked === undefined ? [{ universe: of([...names, 'OLD']) }, []] : asked === 'xyz' && dex !== undefined ? [{ universe: of(dex) }, []] : undefined) })
    const rest = openRest(venue.url, 100_000, () => undefined)
    const told: string[] = []
    try {
      const { look } = openListing(['BTC', 'NEW', 'OLD', '@107', 'xyz:AAPL'], rest, (reason) => { told.push(reason.split(' ')[0] ?? '') })
      assert.deepEqual([[...(await look()).coins], [...(await look()).coins]], [['BTC', '@107'], ['BTC', '@107']])
      assert.deepEqual(told, ['NEW', 'OLD', 'xyz:AAPL'])
      names = ['BTC', 'NEW']
      down = []
      dex = ['xyz:AAPL']
      assert.deepEqual([...(await look()).coins], ['BTC', 'NEW', 'OLD', '@107', 'xyz:AAPL'])
      down = ['NEW']
      for (const _ of [1, 2]) assert.deepEqual([...(await look()).coins], ['BTC', 'OLD', '@107', 'xyz:AAPL'])
      assert.deepEqual(told, ['NEW', 'OLD', 'xyz:AAPL', 'NEW'])
      assert.deepEqual([...(await openListing([], rest, () => undefined).look()).coins], ['BTC', 'OLD'])
    } finally { await rest.close(); await venue.close() }
  })

  it('refused subscriptions leave the socket open, are told once, and are asked for at once after the next cut', async () => {
    let refusing = true
    const venue = await startVenue({ everyMs: 86_400_000, refuses: ({ coin }) => refusing && coin === 'BAD' })
    const failed: string[] = [], said: string[] = []
    const socket = openSocket(`${venue.url.replace('http', 'ws')}/ws`, { heard: ({ payload }) => { said.push(String(payload)) }, back: () => undefined, failed: (reason) => { failed.push(reason) } })
    const want = () => socket.want({ coins: new Set(['BTC', 'BAD']), books: new Set(), accounts: [] })
    try {
      await want()
      await want()
      await want()
      assert.deepEqual([failed.map((reason) => reason.split(':')[0]).sort(), venue.counters.connections, socket.connected()], [['context|BAD', 'trades|BAD'], 1, true])
      refusing = false
      venue.cut()
      await until(() => Promise.resolve(said.some((text) => text.includes('"subscriptionResponse"') && text.includes('BAD'))), 'it was not asked for again')
      await want()
      // Refused when it connects anew, then taken: asked for afresh.
      refusing = true
      const before = venue.counters.subscriptions
      venue.cut()
      await until(() => Promise.resolve(venue.counters.subscriptions >= before + 3), 'it did not come back')
      await want()
      assert.equal(failed.length, 4)
      assert.deepEqual([venue.counters.connections, socket.connected()], [3, true])
    } finally { await socket.close(); await venue.close() }
  })

  it('refused ones are asked for again after a while, later and later, without connecting anew', async () => {
    let refusing = true
    const asked: number[] = []
    const venue = await startVenue({ everyMs: 86_400_000, refuses: ({ type, coin }) => { if (type === 'trades' && coin === 'BAD') asked.push(Date.now()); return refusing && coin === 'BAD' } })
    const failed: string[] = [], said: string[] = []
    const socket = openSocket(`${venue.url.replace('http', 'ws')}/ws`, { heard: ({ payload }) => { said.push(String(payload)) }, back: () => undefined, failed: (reason) => { failed.push(reason) } }, 300)
    const want = (...coins: string[]) => socket.want({ coins: new Set(coins), contexts: new Set(['BTC']), books: new Set(), accounts: [] })
    const acknowledged = (method: string): boolean => said.some((text) => text.includes(`"method":"${method}"`) && text.includes('BAD'))
    try {
      await until(async () => { await want('BTC', 'BAD'); return asked.length >= 3 }, 'it was not asked for again')
      const [first = 0, second = 0, third = 0] = asked
      assert.ok(second - first >= 290 && third - second >= 590, `${second - first} ${third - second}`)
      refusing = false
      await until(async () => { await want('BTC', 'BAD'); return acknowledged('subscribe') }, 'it was not taken')
      const times = asked.length
      await want('BTC', 'BAD')
      assert.deepEqual([asked.length, failed.length, venue.counters.connections], [times, 1, 1])
      await want('BTC')
      await until(() => Promise.resolve(acknowledged('unsubscribe')), 'it was not left')
    } finally { await socket.close(); await venue.close() }
  })

  it('refused ones that are wanted no more are left when the venue takes them at the next cut', async () => {
    let refusing = true
    const venue = await startVenue({ everyMs: 86_400_000, refuses: ({ coin }) => refusing && coin === 'BAD' })
    const said: string[] = []
    const socket = openSocket(`${venue.url.replace('http', 'ws')}/ws`, { heard: ({ payload }) => { said.push(String(payload)) }, back: () => undefined, failed: () => undefined })
    const want = (...coins: string[]) => socket.want({ coins: new Set(coins), books: new Set(), accounts: [] })
    const acknowledged = (method: string, type: string): boolean => said.some((text) => text.includes(`"method":"${method}"`) && text.includes('BAD') && text.includes(type))
    try {
      await want('BTC', 'BAD')
      await want('BTC')
      refusing = false
      venue.cut()
      await until(() => Promise.resolve(acknowledged('subscribe', 'trades') && acknowledged('subscribe', 'activeAssetCtx')), 'the client did not ask for it again')
      await until(async () => { await want('BTC'); return acknowledged('unsubscribe', 'trades') && acknowledged('unsubscribe', 'activeAssetCtx') }, 'it was not left')
      const before = said.length
      await want('BTC')
      assert.deepEqual([said.length, socket.connected()], [before, true])
    } finally { await socket.close(); await venue.close() }
  })

  it('where nothing at all is taken, it connects anew', async () => {
    const venue = await startVenue({ everyMs: 86_400_000, refuses: () => true })
    const socket = openSocket(`${venue.url.replace('http', 'ws')}/ws`, { heard: () => undefined, back: () => undefined, failed: () => undefined })
    try {
      await socket.want({ coins: new Set(['BTC']), books: new Set(), accounts: [] })
      await until(() => Promise.resolve(venue.counters.connections === 2), 'it did not connect anew')
    } finally { await socket.close(); await venue.close() }
  })
})
