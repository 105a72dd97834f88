/** Coins that were named and are not there, and subscriptions that the venue does not take: told once, and no reason to cut off the others. */
import assert from 'node:assert/strict'
import { startVenue } from '../../../scripts/replay-node/hyperliquid/server.js'
import { openListing } from '../../../stages/ingest/hyperliquid/listing.js'
import { openRest } from '../../../stages/ingest/hyperliquid/rest.js'
import { openSocket } from '../../../stages/ingest/hyperliquid/socket.js'
import { until } from '../../support/pipeline.js'

describe('coins that the venue does not have', function () {
  this.timeout(60_000)
  it('are told once and heard when they appear; so are those that were taken down, and those of a dex', async () => {
    let names = ['BTC'], down = ['OLD'], dex: string[] | undefined
    const of = (coins: readonly string[]) => coins.map((name) => ({ name, szDecimals: 1, maxLeverage: 3, isDelisted: down.includes(name) }))
    const venue = await startVenue({ answer: ({ type, dex: asked }) => (type !== 'metaAndAssetCtxs' ? undefined : asked === undefined ? [{ universe: of([...names, 'OLD']) }, []] : asked === 'xyz' && dex !== undefined ? [{ universe: of(dex) }, []] : undefined) })
    const rest = openRest(venue.url, 100_000, () => undefined)
    const told: string[] = []
    try {
      const look = openListing(['BTC', 'NEW', 'OLD', '@107', 'xyz:AAPL'], rest, (reason) => { told.push(reason.split(' ')[0] ?? '') })
      assert.deepEqual([[...await look()], [...await look()]], [['BTC', '@107'], ['BTC', '@107']])
      assert.deepEqual(told, ['NEW', 'OLD', 'xyz:AAPL'])
      names = ['BTC', 'NEW']
      down = []
      dex = ['xyz:AAPL']
      assert.deepEqual([...await look()], ['BTC', 'NEW', 'OLD', '@107', 'xyz:AAPL'])
      down = ['NEW']
      for (const _ of [1, 2]) assert.deepEqual([...await look()], ['BTC', 'OLD', '@107', 'xyz:AAPL'])
      assert.deepEqual(told, ['NEW', 'OLD', 'xyz:AAPL', 'NEW'])
      assert.deepEqual([...await openListing([], rest, () => undefined)()], ['BTC', 'OLD'])
    } finally { await rest.close(); await venue.close() }
  })

  it('refused subscriptions leave the socket open, are told once, and are taken up after the next cut', async () => {
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

  it('where nothing at all is taken, it connects anew', async () => {
    const venue = await startVenue({ everyMs: 86_400_000, refuses: () => true })
    const socket = openSocket(`${venue.url.replace('http', 'ws')}/ws`, { heard: () => undefined, back: () => undefined, failed: () => undefined })
    try {
      await socket.want({ coins: new Set(['BTC']), books: new Set(), accounts: [] })
      await until(() => Promise.resolve(venue.counters.connections === 2), 'it did not connect anew')
    } finally { await socket.close(); await venue.close() }
  })
})
