/** Pages that were cut to a size: the calls they name give every row, once. */
import assert from 'node:assert/strict'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { seed, seedHead } from '../api/support/seed.js'
import { startService, type Service } from '../api/support/service.js'
import { message, post, session } from './support/client.js'

describe('pages of a tool', function () {
  this.timeout(90_000)
  let service: Service
  let open: Record<string, string>
  before(async () => {
    service = await startService()
    await seed(service.store, 1_000, 21)
    await seedHead(service.store, 1_021)
    open = await session(`${service.api.url}/mcp`, service.agentKey)
  })
  after(() => service.stop())

  it('neither skip nor repeat a row, whatever the size', async () => {
    const whole = (await service.call('GET /v1/whales/recent?chain=ETH&limit=200')).body.whales
    assert.equal(whole.length, 42)
    for (let tokens = 1_500; tokens <= 4_000; tokens += 50) {
      const rows: unknown[] = []
      for (let args: Record<string, unknown> | undefined = { chain: 'ETH', limit: 200 }; args !== undefined;) {
        const { body } = await post(`${service.api.url}/mcp?max_tokens=${tokens}`, open, message('tools/call', { name: 'list_whales', arguments: args }))
        const payload = body.result.structuredContent
        assert.ok(encode(body.result.content[0].text).length <= tokens, `${tokens} tokens`)
        rows.push(...payload.whales)
        const given: Record<string, unknown> = args
        args = payload._meta.truncated?.next?.arguments ?? (payload.next_cursor === null ? undefined : { ...given, cursor: payload.next_cursor })
      }
      assert.deepEqual(rows, whole, `${tokens} tokens`)
    }
  })
})
