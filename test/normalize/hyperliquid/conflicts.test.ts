/** Where public sources about the venue contradict each other or say nothing: which way was taken. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { startVenue } from '../../../scripts/replay-node/hyperliquid/server.js'
import { parseConfig } from '../../../schemas/config.js'
import type { Store } from '../../../schemas/clickhouse.js'
import { openHyperliquidSource } from '../../../stages/ingest/hyperliquid/source.js'
import { alertOn, digest, infoAnswer, insertHeard, message, type Heard } from '../../support/hyperliquid.js'
import { until } from '../../support/pipeline.js'
import { freshStore } from '../../support/servers.js'

const [one, other, third] = ['11', '22', '33'].map((byte) => `0x${byte.repeat(20)}`) as [string, string, string]
const hash = `0x${'ab'.repeat(32)}`, now = Date.now() - 60_000
const fill = (account: string, tid: number, more: object): string => JSON.stringify([account, { coin: 'BTC', px: '100.0', sz: '1000.0', side: 'A', time: now + tid, startPosition: '1000.0', dir: 'Close Long', closedPnl: '0.0', hash, oid: tid, crossed: true, fee: '1.0', tid, feeToken: 'USDC', ...more }])
const fills = (...lines: string[]): Heard => ({ kind: 'node_fills', payload: lines.join('\n') })
const heard = async (...segments: readonly Heard[][]): Promise<Store> => {
  const { store } = await freshStore()
  for (const [index, segment] of segments.entries()) { await insertHeard(store, index + 1, segment); await digest(store, index + 1, index + 1) }
  return store
}
const Text = z.object({ text: z.string() })

describe('conflicting facts about the venue', function () {
  this.timeout(120_000)

  it('closedPnl is gross of the fee: what an account made is closedPnl less fee, subtracted once', async () => {
    // A threshold of 50,000: 25 times 2,000.5 passes it before fees of 1 and not after, and passes it after fees of 0.4.
    const closing = (account: string, fee: string, base: number): string[] => Array.from({ length: 25 }, (_, index) => fill(account, base + index, { closedPnl: '2000.5', fee }))
    const opening = (account: string, tid: number): string => fill(account, tid, { side: 'B', startPosition: '0.0', dir: 'Open Long' })
    const store = await heard([fills(...closing(one, '1.0', 100), ...closing(other, '0.4', 200))], [fills(opening(one, 300), opening(other, 301))])
    await alertOn(store, 2, 2)
    const alerts = await store.query("SELECT concat('0x', lower(hex(account))) AS text FROM hl_alerts WHERE kind = 'copy_trade'", {}, Text)
    assert.deepEqual(alerts, [{ text: other }])
  })

  it('users of a trade are buyer and seller, not maker and taker: the same whoever was the aggressor', async () => {
    const trade = (tid: number, side: string): object => ({ coin: 'BTC', side, px: '100.0', sz: '1.0', time: now + tid, hash, tid, users: [one, other] })
    const store = await heard([[message('trades', [trade(1, 'B'), trade(2, 'A')])]].flat())
    const rows = await store.query("SELECT concat(toString(tid), ' ', lower(hex(buyer)) , ' ', lower(hex(taker))) AS text FROM hl_trades ORDER BY tid", {}, Text)
    assert.deepEqual(rows.map(({ text }) => text), [`1 ${one.slice(2)} ${one.slice(2)}`, `2 ${one.slice(2)} ${other.slice(2)}`])
  })

  it('connections: ten are assumed to be allowed, not a hundred; one is used, whatever is followed, and no more than ten accounts are', async () => {
    const accounts = (number: number): string => Array.from({ length: number }, (_, index) => `0x${index.toString(16).padStart(40, '0')}`).join(',')
    const venue = await startVenue(), fresh = await freshStore()
    const environment = { CLICKHOUSE_URL: fresh.url, CLICKHOUSE_DATABASE: fresh.database, HL_API_URL: venue.url, HL_SEGMENT_MS: '20', HL_BOOK_COINS: 'BTC' }
    const source = openHyperliquidSource(parseConfig({ ...environment, HL_ACCOUNTS: accounts(10) }))
    try {
      await until(async () => { await source.head().catch(() => undefined); return venue.counters.subscriptions > 10 }, 'nothing subscribed')
      assert.equal(venue.counters.connections, 1)
    } finally { await source.close(); await venue.close() }
    assert.throws(() => parseConfig({ ...environment, HL_ACCOUNTS: accounts(11) }))
  })

  it('liquidatable has no documented shape: what it says is kept whole, and makes no liquidation', async () => {
    const store = await heard([infoAnswer({ type: 'liquidatable' }, [{ user: one, coin: 'BTC', anything: [1, 2] }])])
    assert.deepEqual(await store.query("SELECT item AS text FROM hl_records WHERE type = 'liquidatable'", {}, Text), [{ text: JSON.stringify({ user: one, coin: 'BTC', anything: [1, 2] }) }])
    assert.deepEqual(await store.query('SELECT toString(count()) AS text FROM hl_liquidations', {}, Text), [{ text: '0' }])
  })

  it('the victim\'s own fill may say nothing of a liquidation: its direction does, else whom the other side names', async () => {
    const liquidation = { liquidatedUser: other, markPx: '99.0', method: 'market' }
    const store = await heard([fills(fill(one, 1, { dir: 'Liquidated Cross Long' }), fill(third, 1, { side: 'B', dir: 'Open Long', liquidation: { ...liquidation, liquidatedUser: one } }), fill(third, 2, { side: 'B', dir: 'Open Long', liquidation }))])
    assert.deepEqual(await store.query("SELECT concat(toString(tid), ' 0x', lower(hex(liquidated))) AS text FROM hl_liquidations ORDER BY tid", {}, Text), [{ text: `1 ${one}` }, { text: `2 ${other}` }])
  })
})
