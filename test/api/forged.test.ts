/** A token with a price whose Transfer events say any amount: what it is worth is absurd, and lists that rank by dollars answer all the same. */
import assert from 'node:assert/strict'
import { at } from '../enrich/handmade.js'
import { seed, seedHead } from './support/seed.js'
import { startService, type Service } from './support/service.js'

describe('dollars that nobody has', function () {
  this.timeout(90_000)
  let service: Service
  before(async () => {
    service = await startService()
    await seed(service.store, 1_000, 50)
    await seedHead(service.store, 1_049)
    for (const [address, entity, category] of [[at('a1'), 'alpha', 'exchange'], [at('a2'), 'beta', 'exchange'], [at('f1'), '', 'fund'], [at('b1'), '', 'scam']] as const) {
      await service.store.execute(`INSERT INTO labels (chain, address, label, entity, category, source, rule, confidence, valid_from, version) SELECT 'ETH', {address:String}, 'x', {entity:String}, {category:String}, 'test', '', 80, now64(3), 1`, { address, entity, category })
    }
    await service.store.execute('SYSTEM RELOAD DICTIONARY label_of')
    // Lists name both: what others say weighs nothing in a risk.
    await service.store.execute("INSERT INTO tokens SELECT 'ETH', toFixedString(unhex(repeat(arrayJoin(['71', '72']) AS t, 20)), 20), t, t, 18, false, 'test', 1")
    await service.store.execute('SYSTEM RELOAD DICTIONARY token_of')
    // Two tokens, so that two rows of a list are equally absurd; the largest is what the indexes take one to be at most.
    await service.store.execute(`INSERT INTO transfers (chain, block_number, kind, position, block_time, token, from_address, to_address, amount, value_usd, price_method, from_entity, from_class, to_entity, to_class)
      SELECT 'ETH', 1048, 'erc20', 100 + n, now64(3) - INTERVAL 15 SECOND, unhex(repeat(t, 20)), unhex(substring({a:String}, 3)), unhex(substring(pair.1, 3)), toUInt256(1), usd, 'vwap', 'alpha', 'exchange', pair.2, pair.3
      FROM (SELECT rowNumberInAllBlocks() AS n, t, usd, pair FROM (SELECT arrayJoin(['71', '72']) AS t, arrayJoin([1e33, 1e45, 1e70]) AS usd, arrayJoin([({b:String}, 'beta', 'exchange'), ({f:String}, '', 'fund'), ({s:String}, '', 'scam')]) AS pair))`,
    { a: at('a1'), b: at('a2'), f: at('f1'), s: at('b1') })
    await service.store.execute(`INSERT INTO address_transfers (chain, address, block_number, kind, position, block_time, token, other, direction, amount, value_usd)
      SELECT chain, side.1, block_number, kind, position, block_time, token, side.2, side.3, amount, value_usd FROM transfers ARRAY JOIN [(from_address, to_address, 'out'), (to_address, from_address, 'in')] AS side WHERE chain = 'ETH'`)
  })
  after(() => service.stop())

  for (const path of ['wallets/flow-explorer?', 'wallets/smart-money-flow?window=1h&', 'wallets?classification=exchange&', 'dashboard/exchange-flows?known_now=true&', 'wallets/top/ETH?', 'wallets/risky/ETH?min_risk=1&']) {
    it(`${path.split('?')[0]} ranks them, and pages pass over none`, async () => {
      const read = async (rest: string): Promise<{ rows: any[]; more: boolean; cursor: string | null }> => {
        const { status, body, headers, text } = await service.call(`GET /v1/${path}${rest}`)
        assert.equal(status, 200, text)
        return Array.isArray(body) ? { rows: body, more: headers.get('x-has-more') === 'true', cursor: headers.get('x-next-cursor') } : { rows: body.flows ?? body.exchanges ?? body.wallets ?? body.items, more: body.has_more, cursor: body.next_cursor }
      }
      const whole = await read('limit=100')
      assert.ok(whole.rows.length > 1)
      const told: any[] = []
      for (let cursor = ''; ;) {
        const { rows, more, cursor: next } = await read(`limit=1${cursor}`)
        told.push(...rows)
        if (!more) break
        cursor = `&cursor=${next}`
      }
      assert.deepEqual(told, whole.rows)
    })
  }
})
