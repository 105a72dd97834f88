/** Flows of exchanges, page by page: what arrives between two pages changes nothing on those that follow, and segments with the blocks after them give what the movements do. */
import assert from 'node:assert/strict'
import type { Store } from '../../schemas/clickhouse.js'
import { findChain } from '../../schemas/chains.js'
import { loadSql } from '../../schemas/sql.js'
import { at } from '../enrich/handmade.js'
import { startService, type Service } from './support/service.js'

const segmentsOf = { ETH: loadSql(new URL('../../stages/index/x', import.meta.url).href, 'entity_token_segments.sql'), BTC: loadSql(new URL('../../stages/index/bitcoin/x', import.meta.url).href, 'entity_token_segments.sql') } as const
const names = ['alpha', 'beta', 'gamma', 'delta'] as const
type Chain = keyof typeof segmentsOf
const time = 'toDateTime64(1700000000 + {n:UInt64} * 12, 3, \'UTC\')'
const put = {
  ETH: [`INSERT INTO transfers (chain, block_number, position, block_time, kind, token, amount, value_usd, to_entity, to_class) SELECT 'ETH', {n:UInt64}, 1, ${time}, 'erc20', unhex(repeat('05', 20)), 7, {usd:Float64}, {entity:String}, 'exchange'`],
  BTC: [`INSERT INTO btc_blocks (chain, block_number, block_time) SELECT 'BTC', {n:UInt64}, ${time}`,
    `INSERT INTO btc_entity_nets (chain, block_number, tx_index, block_time, entity, kind, received, net, unresolved_inputs, value_usd) SELECT 'BTC', {n:UInt64}, 1, ${time}, {entity:String}, if({n:UInt64} = 10, 'unknown', 'in'), 7, 7, 0, {usd:Float64}`],
} as const

/** Block n, in which `entity` gets `usd`, through the index stage. */
const grow = async (store: Store, chain: Chain, n: number, entity: string, usd: number): Promise<void> => {
  await store.execute(`INSERT INTO blocks (chain, block_number, block_hash, block_time, miner, internal_complete) SELECT {chain:String}, {n:UInt64}, toString({n:UInt64}), ${time}, '', true`, { chain, n })
  for (const statement of put[chain]) await store.execute(statement, { n, entity, usd })
  await store.execute(segmentsOf[chain], { chain, from: n, to: n, segmentBlocks: findChain(chain)?.segmentBlocks ?? 0, versions: [n] })
  await store.execute("INSERT INTO plans SELECT {chain:String}, {n:UInt64}, 'plan', {n:UInt64}, {n:UInt64}, 'x', '', 0, 't', 1, 'w', now64(3)", { chain, n })
  await store.execute("INSERT INTO batches SELECT {chain:String}, stage, {n:UInt64}, {n:UInt64}, 'x', 0, 1, 1, 40, 'node', now64(3) FROM (SELECT arrayJoin(['ingest', 'normalize', 'enrich', 'index', 'alert']) AS stage)", { chain, n })
}

describe('flows of exchanges', function () {
  this.timeout(60_000)
  let service: Service
  const get = async (query: string): Promise<any> => (await service.call(`GET /v1/dashboard/exchange-flows?hours=1&known_now=false&${query}`)).body
  /** Waits until an answer says it: what the ledger tells is at most a second old, and each of these is a question of its own. */
  const told = async (chain: string, says: (answer: any) => boolean): Promise<void> => {
    for (let limit = 10; !says(await get(`chain=${chain}&limit=${limit}`)); limit += 1) {
      assert.ok(limit < 200, 'the blocks are never seen')
      await new Promise((resolve) => { setTimeout(resolve, 50) })
    }
  }
  before(async () => {
    service = await startService()
    for (const chain of ['ETH', 'BTC'] as const) {
      for (const [i, entity] of names.entries()) await service.store.execute(`INSERT INTO labels (chain, address, label, entity, category, source, rule, confidence, valid_from, version) SELECT {chain:String}, {address:String}, 'x', {entity:String}, 'exchange', 'test', '', 80, now64(3), 1`, { chain, address: at(`a${i}`), entity })
    }
    await service.store.execute('SYSTEM RELOAD DICTIONARY label_of')
    for (const [chain, first] of [['ETH', 61], ['BTC', 4]] as const) {
      for (const [i, usd] of [300, 200, 100, 50].entries()) await grow(service.store, chain, first + 2 * i, names[i] ?? '', usd)
    }
    for (const chain of ['ETH', 'BTC']) await told(chain, ({ total }) => total === 4)
  })
  after(() => service.stop())

  it('are those of whole segments and of the blocks after them', async () => {
    const flows = ({ exchanges }: any): unknown[] => exchanges.map((one: any) => [one.exchange, one.transfers_in, one.usd_in, one.transfers_unknown, one.usd_unknown, one.usd_listed_in, one.tokens.map((token: any) => [token.chain, token.listed, token.amount_in, token.amount_unknown])])
    const [eth, btc, both] = [await get('chain=ETH'), await get('chain=BTC'), await get('chain=ALL')]
    const got = (chain: Chain): unknown[] => [300, 200, 100, 50].map((usd, i) => [names[i], 1, usd, 0, 0, chain === 'BTC' ? usd : 0, [[chain, chain === 'BTC', '7', '0']]])
    assert.deepEqual(flows(eth), got('ETH'))
    assert.deepEqual(flows(btc), [...got('BTC').slice(0, 3), ['delta', 0, 0, 1, 50, 0, [['BTC', true, '0', '7']]]])
    assert.deepEqual(flows(both)[0], ['alpha', 2, 600, 0, 0, 300, [['BTC', true, '7', '0'], ['ETH', false, '7', '0']]])
    // What no list names is of a token whose price its own pool says; the coin is never that. That no block of ETH has a price of its coin makes no part of a known sum unknown.
    assert.deepEqual([eth.usd_in, eth.usd_listed_in, btc.usd_in, btc.usd_listed_in, both.usd_in, both.usd_listed_in, both.usd_listed_out], [650, 0, 600, 600, 1_250, 600, 0])
  })

  for (const [chain, entity, grown] of [['ETH', 'gamma', [['ETH', 68]]], ['BTC', 'beta', [['BTC', 12]]], ['ALL', 'delta', [['ETH', 69], ['BTC', 14]]]] as const) {
    it(`${chain}: a block that comes between two pages moves no exchange past the reader`, async () => {
      const whole = (await get(`chain=${chain}&limit=199`)).exchanges
      let page = await get(`chain=${chain}&limit=1`)
      const seen = page.exchanges
      for (const [one, n] of grown) await grow(service.store, one, n, entity, 10_000)
      await told(chain, ({ exchanges }) => exchanges[0].exchange === entity)
      while (page.has_more) { page = await get(`chain=${chain}&limit=1&cursor=${page.next_cursor}`); seen.push(...page.exchanges) }
      assert.deepEqual(seen, whole)
    })
  }
})
