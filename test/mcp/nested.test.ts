/** A paged list inside one thing is cut to its page: who follows the cursor sees every row, also where what stands beside the list is long. */
import assert from 'node:assert/strict'
import { openCall } from '../../api/mcp/call.js'
import type { Ask } from '../../api/operation.js'
import getEntity from '../../api/operations/entities/getEntity.js'

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
})
