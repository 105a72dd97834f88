/** Watched addresses of Bitcoin: whoever spends is told once for a transaction, whoever else pays with it. */
import assert from 'node:assert/strict'
import { findChain } from '../../schemas/chains.js'
import { listsOf } from '../../stages/lists.js'
import { openFeed } from '../../stages/monitor/raiseAlerts.js'
import { applyRollback } from '../../stages/rollback.js'
import { runStatements, type ChainModule } from '../../stages/stage.js'
import { bitcoinBatch, bitcoinContext } from '../support/bitcoin.js'
import { insertBlocks, txidOf, type Block } from '../support/btcLedger.js'
import { startService, type Service } from './support/service.js'

const btc = 100_000_000
const [me, small, gains] = ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'] as const
const long = (name: string): string => name.padEnd(14, 'w')
const side = (address: string, coins: number | null) => ({ address: coins === null ? '' : long(address), value: coins === null ? null : Math.round(coins * btc) })
const out = (address: string, coins: number) => ({ address: long(address), value: Math.round(coins * btc) })
const blocks: Block[] = [
  { number: 1, txs: [
    { ins: [side('payer', 60)], outs: [out(me, 40), out(small, 1), out('other', 18)] },
    // Most goes to a stranger, some to one on a list.
    { ins: [side(me, 40)], outs: [out('bad', 15), out('x', 20), out(me, 4.9)] },
  ] },
  { number: 2, txs: [
    // The small one pays beside another.
    { ins: [side('other', 8), side(small, 0.6), side(small, 0.4)], outs: [out('y', 8.9)] },
    // Both are watched; one gets more than it brings.
    { ins: [side(me, 4.9), side(gains, 1)], outs: [out(gains, 3), out('z', 2.8)] },
    // Nothing goes to another; an input is not known.
    { ins: [side(me, 2)], outs: [out(me, 1.9)] },
    { ins: [side('', null), side(me, 1.9)], outs: [out('shop', 5)] },
  ] },
]
const written = new Set(['prices', 'transfers', 'btc_flows', 'watched_transfers'])

describe('watched addresses of Bitcoin', function () {
  this.timeout(120_000)
  let service: Service, key: string
  let feed: ReturnType<typeof openFeed>
  const alerts = async (query = '?after=0&limit=100'): Promise<any[]> => (await service.call(`GET /v1/monitoring/alerts${query}`, { key })).body.alerts
  const pass = async (from: number, to: number, generation: number): Promise<void> => {
    const { enrich, alert } = listsOf('BTC')
    await runStatements([...enrich, ...alert].map((group) => group.filter(({ writes }) => written.has(writes))), { ...bitcoinBatch(from, to, generation), hash: `x${generation}` }, bitcoinContext(service.store))
  }
  const ledger = async (some: readonly Block[], generation: number): Promise<void> => {
    await insertBlocks(service.store, some, generation)
    await service.store.execute("INSERT INTO blocks (chain, block_number, block_hash, block_time, internal_complete, tx_count, generation) SELECT chain, block_number, block_hash, block_time, true, tx_count, generation FROM btc_blocks WHERE generation = {generation:UInt32}", { generation })
    await service.store.execute("INSERT INTO prices (chain, token, block_number, block_time, block_hash, usd, method, trades, depth_usd, generation) SELECT 'ETH', unhex('2260fac5e5542a773aa44fbcfedf7c193bc2c599'), block_number, block_time, '', 50000, 'chainlink', 1, 0, generation FROM btc_blocks WHERE generation = {generation:UInt32}", { generation })
  }
  before(async () => {
    service = await startService()
    const { store } = service
    key = (await service.api.parts.services.keys.issue({ name: 'one', role: 'agent', tier: 'compliance', rate_limit: 1_000_000, daily_cap: 0, scopes: ['read'], source_ip: '' })).key
    await service.call('POST /v1/monitoring/lists', { key, body: { name: 'n', addresses: [me, small, gains], min_usd: 0 } })
    await store.insert('sanctions_changes', [{ at: new Date().toISOString(), register: 'OFAC_SDN', version: 1, list_version: 'v1', asset: 'XBT', key: long('bad'), address: long('bad'), chain: 'BTC', list_id: '1', entity_name: 'Bad', change: 'added' }])
    feed = openFeed(store)
    await feed.movements('BTC')
    await ledger(blocks, 0)
    await store.execute("INSERT INTO btc_parties (id, address) SELECT toFixedString(substring(SHA256(address), 1, 20), 20), address FROM (SELECT address FROM btc_outputs UNION ALL SELECT address FROM btc_inputs) WHERE address != ''")
    await pass(1, 2, 0)
  })
  after(() => service.stop())

  it('everybody who spends is told once, with what went out of it, a receiver on a list before the others', async () => {
    assert.deepEqual(await feed.movements('BTC'), { transfers: 7, retracted: 0 })
    assert.equal(await feed.movements('BTC'), null)
    const found = (await alerts()).map((one) => [one.tx_hash, one.address, one.direction, one.counterparty.replace(/w{5,}$/, ''), one.severity, one.amount, Math.round(one.value_usd)])
    const [one, two] = blocks as [Block, Block]
    assert.deepEqual(found.sort(), [
      [txidOf(one, 0), me, 'in', 'payer', 'info', String(40 * btc), 2_000_000], [txidOf(one, 0), small, 'in', 'payer', 'info', String(btc), 50_000],
      [txidOf(one, 1), me, 'out', 'bad', 'critical', String(35.1 * btc), 1_755_000],
      [txidOf(two, 0), small, 'out', 'y', 'info', String(btc), 50_000],
      [txidOf(two, 1), me, 'out', 'z', 'info', String(490_000_000), 245_000], [txidOf(two, 1), gains, 'in', me, 'info', String(2 * btc), 100_000],
      [txidOf(two, 3), me, 'out', 'shop', 'info', String(1.9 * btc), 95_000],
    ].sort())
  })

  it('a reorg takes back what was spent, and what comes again is told again', async () => {
    await applyRollback(service.store, { chain: findChain('BTC') } as ChainModule, { seq: 1, from_block: 2, generation: 1 }, { always: true })
    assert.deepEqual(await feed.movements('BTC'), { transfers: 0, retracted: 4 })
    await ledger([blocks[1] as Block], 1)
    await pass(2, 2, 1)
    assert.deepEqual(await feed.movements('BTC'), { transfers: 4, retracted: 0 })
    assert.equal(await feed.movements('BTC'), null)
    const last = (await alerts()).slice(-4)
    assert.deepEqual([...new Set(last.map(({ event }) => event))], ['transfer'])
  })
})
