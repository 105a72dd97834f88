/** Coins that appear are heard from then on, coins that vanish no longer; what stays is not asked for again. */
import assert from 'node:assert/strict'
import { startVenue } from '../../../scripts/replay-node/hyperliquid/server.js'
import { openSocket } from '../../../stages/ingest/hyperliquid/socket.js'
import { until } from '../../support/pipeline.js'

describe('coins of the venue that come and go', function () {
  this.timeout(60_000)
  it('are subscribed to and left, one by one', async () => {
    const venue = await startVenue({ everyMs: 86_400_000 })
    const said: string[] = []
    const socket = openSocket(`${venue.url.replace('http', 'ws')}/ws`, { heard: ({ payload }) => { said.push(String(payload)) }, back: () => undefined, failed: (reason) => { said.push(`failed: ${reason}`) } })
    /** Acknowledged so far, each once: method, type and coin. */
    const acknowledged = (): string[] => said.flatMap((text) => {
      const { channel, data } = JSON.parse(text) as { channel: string; data: { method: string; subscription: { type: string; coin?: string } } }
      return channel === 'subscriptionResponse' && data.subscription.coin !== undefined ? [`${data.method} ${data.subscription.type} ${data.subscription.coin}`] : []
    })
    const want = (coins: readonly string[], books: readonly string[] = []) => socket.want({ coins: new Set(coins), books: new Set(books), accounts: [] })
    try {
      await want(['BTC', 'OLD'], ['BTC'])
      await until(() => Promise.resolve(acknowledged().length === 5), 'nothing was subscribed')
      said.length = 0
      await want(['BTC', 'NEW', 'xyz:AAPL'], ['BTC'])
      await until(() => Promise.resolve(acknowledged().length >= 6), 'what is new is not heard')
      assert.deepEqual(acknowledged().sort(), ['subscribe activeAssetCtx NEW', 'subscribe activeAssetCtx xyz:AAPL', 'subscribe trades NEW', 'subscribe trades xyz:AAPL', 'unsubscribe activeAssetCtx OLD', 'unsubscribe trades OLD'])
      said.length = 0
      // It comes back under its name: heard again.
      await want(['BTC', 'NEW', 'xyz:AAPL', 'OLD'], ['BTC'])
      await until(() => Promise.resolve(acknowledged().length >= 2), 'what came back is not heard')
      assert.deepEqual(acknowledged().sort(), ['subscribe activeAssetCtx OLD', 'subscribe trades OLD'])
      assert.equal(venue.counters.connections, 1)
    } finally { await socket.close(); await venue.close() }
  })
})
