/** Movements of one address of recorded mainnet blocks, page by page, against the movements themselves. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { fillRecorded } from './support/recorded.js'
import { startService, type Service } from './support/service.js'

const binance = '0x28c6c06298d514db089934071355e5743bf21d60'
const usdc = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'

describe('movements of one address', function () {
  this.timeout(120_000)
  let service: Service
  const get = async (query: string): Promise<any> => (await service.call(`GET /v1/wallets/transfers/${query}`)).body
  before(async () => {
    service = await startService()
    await fillRecorded(service.store, [12914944, 22431083])
  })
  after(() => service.stop())

  it('are all there, newest first, to the smallest unit', async () => {
    const whole = await get(`${binance.toUpperCase().replace('0X', '0x')}?limit=200`)
    const [moved] = await service.store.query(`SELECT toFloat64(count()) AS count, toString(sum(amount)) AS amount FROM transfers WHERE from_address = unhex({address:String}) OR to_address = unhex({address:String})`,
      { address: binance.slice(2) }, z.object({ count: z.number(), amount: z.string() }))
    assert.deepEqual([whole.count, whole.transfers.reduce((sum: bigint, row: any) => sum + BigInt(row.amount), 0n).toString(), whole.has_more], [moved?.count, moved?.amount, false])
    assert.ok(whole.count > 10)
    const heights = whole.transfers.map((row: any) => row.block_number)
    assert.deepEqual(heights, [...heights].sort((a, b) => b - a))
    assert.ok(whole.transfers.every((row: any) => row.token_symbol.length <= 50 && (row.value_usd === null || row.value_usd >= 0)))
    const pages: any[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: any = await get(`${binance}?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`)
      pages.push(...page.transfers)
      cursor = page.next_cursor
    }
    assert.deepEqual(pages, whole.transfers)
  })

  it('can be of one token and one direction', async () => {
    const only = await get(`${binance}?token=${usdc}&direction=out&limit=200`)
    assert.ok(only.count > 0 && only.transfers.every((row: any) => row.token === usdc && row.direction === 'out'))
    assert.deepEqual([(await get(`${binance}?token=${usdc}&direction=in`)).count, only.transfers[0].token_decimals], [0, 6])
    assert.equal((await service.call(`GET /v1/wallets/transfers/${binance}?token=usdc`)).status, 422)
  })

  it('an address that has none, and one of another chain, are told apart', async () => {
    assert.equal((await get(`0x${'12'.repeat(20)}`))._meta.empty.empty_reason, 'stale_pipeline')
    assert.equal((await get('122pN8zvqTxJaA8fRY1PDBu4QYodqE5m2X'))._meta.empty.empty_reason, 'unsupported_input')
    assert.equal((await get(`${binance}?chain=BTC`))._meta.empty.empty_reason, 'unsupported_input')
    const { next_cursor: cursor } = await get(`${binance}?limit=1`)
    assert.equal((await service.call(`GET /v1/wallets/transfers/0x${'34'.repeat(20)}?cursor=${cursor}`)).body.detail.error, 'INVALID_CURSOR')
  })
})
