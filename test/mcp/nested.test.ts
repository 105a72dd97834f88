/** A paged list inside or beside one thing is cut to its page: who follows the cursor sees every row, also where what stands beside the list is long. What has pages of another kind is not asked again. */
import assert from 'node:assert/strict'
import { openCall } from '../../api/mcp/call.js'
import type { Ask } from '../../api/operation.js'
import getEntity from '../../api/operations/entities/getEntity.js'
import getHlTrader from '../../api/operations/perps/getHlTrader.js'
import traceFunds from '../../api/operations/wallets/traceFunds.js'

const all = Array.from({ length: 450 }, (_, nth) => ({ chain: 'ETH', address: `0x${String(nth).padStart(40, '0')}`, label: `Exchange ${nth}`, classification: 'exchange', sources: ['register'], confidence: 90, official: false, cluster: null }))

describe('MCP pages of a nested list', () => {
  for (const balances of [0, 50, 200]) {
    it(`get_entity: every address once, beside ${balances} balances`, async () => {
      const beside = Array.from({ length: balances }, (_, nth) => ({ chain: 'ETH', token: `0x${'a'.repeat(40)}`, symbol: `T${nth}`, balance: '1000000000000000000' }))
      const invoke = ({ raw }: { raw: Record<string, unknown> }) => {
        const from = Number(raw['cursor'] ?? 0), to = Math.min(all.length, from + Number(raw['limit'] ?? 200))
        return Promise.resolve({ value: { name: 'x', searched: 1, entity: { name: 'x', addresses: all.slice(from, to), flows: [], balances: beside }, next_cursor: to < all.length ? String(to) : null, has_more: to < all.length } })
      }
      const call = openCall(invoke as unknown as Parameters<typeof openCall>[0])
      const seen: unknown[] = []
      let args: Record<string, unknown> | undefined = { name: 'x' }
      for (let calls = 0; args !== undefined; calls += 1) {
        assert.ok(calls < 60, 'too many pages')
        const { structuredContent } = await call(getEntity as unknown as Parameters<typeof call>[0], args, {} as Ask, 4_000)
        const page = structuredContent as any
        const shown: readonly { address: string }[] = page.entity.addresses
        seen.push(...shown.map(({ address }) => address))
        const truncated = page._meta?.truncated
        if (truncated !== undefined) assert.deepEqual([truncated.field, truncated.returned], ['entity.addresses', shown.length])
        args = truncated?.next?.arguments ?? (page.next_cursor === null ? undefined : { name: 'x', cursor: page.next_cursor })
      }
      assert.deepEqual(seen, all.map(({ address }) => address))
    })
  }

  it('get_hl_trader: every fill once, beside 40 positions', async () => {
    const fills = Array.from({ length: 120 }, (_, nth) => ({ coin: 'BTC', direction: 'Open Long', side: 'buy', price: 95_000, size: '0.5', value_usd: 47_500, trade_id: `${nth}`, timestamp: '2026-01-01T00:00:00.000Z' }))
    const positions = Array.from({ length: 40 }, (_, nth) => ({ address: `0x${'b'.repeat(40)}`, coin: `COIN${nth}`, side: 'long', size: '12.5', entry_price: 100.25, mark_price: 101.5, value_usd: 1_250_000, unrealised_pnl_usd: 15_000, leverage: 5, margin: 'cross', margin_used_usd: 250_000, liquidation_price: 80.5, observed_at: '2026-01-01T00:00:00.000Z' }))
    const invoke = ({ raw }: { raw: Record<string, unknown> }) => {
      const from = Number(raw['cursor'] ?? 0), to = Math.min(fills.length, from + Number(raw['limit'] ?? 50))
      return Promise.resolve({ value: { chain: 'HL', address: `0x${'b'.repeat(40)}`, limit: to - from, count: to - from, trader: null, positions, fills: fills.slice(from, to), next_cursor: to < fills.length ? String(to) : null, has_more: to < fills.length } })
    }
    const call = openCall(invoke as unknown as Parameters<typeof openCall>[0])
    const seen: unknown[] = []
    let args: Record<string, unknown> | undefined = { address: `0x${'b'.repeat(40)}` }
    for (let calls = 0; args !== undefined; calls += 1) {
      assert.ok(calls < 12, 'too many pages')
      const page = (await call(getHlTrader as unknown as Parameters<typeof call>[0], args, {} as Ask, 4_000)).structuredContent as any
      seen.push(...page.fills)
      const { truncated } = page._meta
      assert.deepEqual([truncated.field, truncated.returned, truncated.cut, page.positions.length > 0], ['fills', page.fills.length, ['positions'], true])
      args = truncated.next?.arguments ?? (page.next_cursor === null ? undefined : { ...args, cursor: page.next_cursor })
    }
    assert.deepEqual(seen, fills)
  })

  it('trace_funds is asked once: fewer branches would be another trail', async () => {
    const trail = Array.from({ length: 80 }, (_, nth) => ({ hop: 1 + Math.floor(nth / 20), from: `0x${String(nth).padStart(40, '0')}`, to: `0x${'c'.repeat(40)}`, tx_hash: `0x${String(nth).padStart(64, '0')}`, amount: '1000000000000000000', stopped_because: null }))
    let asked = 0
    const invoke = () => {
      asked += 1
      return Promise.resolve({ value: { chain: 'ETH', hops: 4, count: trail.length, trail, origins: [], checks: [], next_cursor: 'more branches', has_more: true, deeper_cursor: 'deeper' } })
    }
    const { structuredContent } = await openCall(invoke as unknown as Parameters<typeof openCall>[0])(traceFunds as unknown as Parameters<ReturnType<typeof openCall>>[0], { address: `0x${'c'.repeat(40)}`, hops: 4 }, {} as Ask, 4_000)
    const page = structuredContent as any
    assert.ok(page.trail.length > 10 && page.trail.length < 80)
    assert.deepEqual([asked, page.count, page.trail, page._meta.truncated.next, page.next_cursor, page.deeper_cursor], [1, page.trail.length, trail.slice(0, page.trail.length), null, null, null])
    assert.match(page._meta.truncated.hint, /deeper_cursor/)
  })
})
