/** A field that only the operation finds wrong is named where it stands in the request. */
import assert from 'node:assert/strict'
import { startService } from './support/service.js'

describe('a field that only its operation finds wrong', () => {
  it('is named by its place', async function () {
    this.timeout(60_000)
    const service = await startService()
    try {
      for (const [path, ...loc] of [
        ['wallets?classification=unknown', 'query', 'classification'], ['blocks/ETH?cursor=x&offset=1', 'query', 'offset'], ['rag/chunks?cursor=x&offset=1', 'query', 'offset'],
        [`candles/0x${'0c'.repeat(32)}`, 'path', 'address'], ['sql/schema?view=nothing', 'query', 'view'], ['rpc/logs?from_block=1&to_block=2', 'query', 'address'],
      ] as const) {
        const { status, body: { error } } = await service.call(`GET /v1/${path}`)
        assert.deepEqual([status, error.details.map((one: any) => one.loc)], [422, [loc]], path)
      }
    } finally { await service.stop() }
  })
})
