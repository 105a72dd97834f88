/** Errors tell a caller what would be right, and name the tool that says it. */
import assert from 'node:assert/strict'
import { openTools } from '../../api/mcp/tools.js'
import { faultOf } from '../../api/sql/faults.js'
import { analystLimits } from '../../schemas/analysts.js'
import { operations } from '../../api/registry.js'
import { startService, type Service } from './support/service.js'

describe('texts that have not their form', () => {
  let service: Service
  before(async function () { this.timeout(90_000); service = await startService() })
  after(() => service.stop())
  const told = async (path: string): Promise<string> => {
    const { status, body } = await service.call(`GET /v1/${path}`)
    assert.deepEqual([status, body.error.hint], [422, body.error.details[0].msg], path)
    return body.error.hint
  }

  it('are told what was expected, in words', async () => {
    assert.match(await told('wallets/compliance/vitalik.eth'), /^an address was expected .*0x and 40 hex digits.*Names \(ENS\) are not resolved$/)
    assert.match(await told('tokens/USDT'), /0x and 40 hex digits\. Symbols and names are not resolved: ask_blockchain/)
    assert.match(await told('wallets/smart-money-flow?window=24%20hours'), /^a time back was expected: 1h to 168h or 1d to 7d/)
    assert.match(await told('whales/recent?since=2025-07-07'), /ISO 8601.*2025-07-07T00:00:00Z$/)
    assert.match(await told('feed/hl/trader/me'), /^an address was expected/)
    assert.match(await told('rag/chunks?topic=Some%20Topic'), /^it has not the form of what was expected: Only this topic/)
  })

  it('a time is one with the plus sign of its offset as it is, which a URL gives as a space', async () => {
    for (const path of ['whales/recent?since=2025-07-07T02:00:00+02:00', 'whales/recent?until=2025-07-07T02:00:00.000000+00:00', 'blocks/recent?chain=ETH&since=2025-07-07T02:00:00%2B02:00', `labels/ETH/0x${'1'.repeat(40)}?known_at=2025-07-07T02:00:00+02:00`]) {
      assert.equal((await service.call(`GET /v1/${path}`)).status, 200, path)
    }
    assert.equal((await service.call('GET /v1/whales/recent?since=2025-07-07T00:00:01+00:00&until=2025-07-07T02:00:00+02:00')).body.error.details[0].type, 'range_reversed')
  })

  it('a tool that nobody knows is told with those like it', () => {
    const { near } = openTools(operations)
    assert.deepEqual([near('list_hl_traders')[0], near('get_wallet_risk')[0], near('zebra')], ['get_hl_traders', 'get_wallet_compliance', []])
    assert.deepEqual([near('recent_whale')[0], near('get_chunk')[0], near('gas_now')[0]], ['list_whales', 'list_chunks', 'get_gas'])
  })

  it('a statement that cannot be run names the tool that lists the views', () => {
    const { body } = faultOf('Code: 60. DB::Exception: Unknown table', analystLimits.free, [])
    assert.match(String(body['hint']), /^get_sql_schema /)
  })
})
