/** Transactions of Bitcoin that two named owners pay together: what one of them gained of the other is its net, in the feed, in flows, in alerts and in nets of entities. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { runClusters } from '../../stages/clusters/runClusters.js'
import { listsOf } from '../../stages/lists.js'
import { runStatements } from '../../stages/stage.js'
import { bitcoinBatch, bitcoinContext } from '../support/bitcoin.js'
import { addressOf, idOf as idOfAddress, insertBlocks, txidOf, type Block, type Tx } from '../support/btcLedger.js'
import { nameAddress } from '../support/clusters.js'
import { startService, type Service } from './support/service.js'

const one = (name: string, coins: number) => ({ address: name === '' ? '' : addressOf(name), value: Math.round(coins * 1e8) })
const idOf = (name: string): string => idOfAddress(addressOf(name))
/** Fees are 0.1. Alpha has a1 and a2, Beta b1 and b2 and is no exchange, Gamma g1. */
const txs: Tx[] = [
  // Beta pays Alpha, which brings an input too and takes all on another address of its own; on the same one.
  { ins: [one('b1', 500), one('a1', 100)], outs: [one('a2', 599.9)] },
  { ins: [one('b1', 500), one('a1', 100)], outs: [one('a1', 599.9)] },
  // Who brings most gains: Alpha pays Beta.
  { ins: [one('b1', 500), one('a1', 100)], outs: [one('b2', 560), one('a2', 39.9)] },
  // Beta pays Alpha and a shop, which gets more; Alpha gets back what it brought.
  { ins: [one('b1', 500), one('a1', 100)], outs: [one('a2', 250), one('shop', 300), one('b2', 49.9)] },
  { ins: [one('b1', 500), one('a1', 100)], outs: [one('a2', 100), one('shop', 300), one('b1', 199.9)] },
  // Three of them; each moves within itself.
  { ins: [one('b1', 500), one('a1', 100), one('g1', 50)], outs: [one('a2', 200), one('g1', 149.9), one('b2', 300)] },
  { ins: [one('b1', 500), one('a1', 100)], outs: [one('a2', 100), one('b2', 499.9)] },
]
const block: Block = { number: 2, txs: [{ coinbase: true, ins: [one('', 0)], outs: [one('m', 50)] }, ...txs] }

describe('two named owners in one transaction of Bitcoin', function () {
  this.timeout(120_000)
  let service: Service
  before(async () => {
    service = await startService()
    const { store } = service
    for (const [name, entity, category] of [['a1', 'Alpha', 'exchange'], ['a2', 'Alpha', 'exchange'], ['b1', 'Beta', 'fund'], ['b2', 'Beta', 'fund'], ['g1', 'Gamma', 'fund']] as const) await nameAddress(store, `0x${idOf(name)}`, entity, 1, { category, label: entity })
    await store.execute('SYSTEM RELOAD DICTIONARY label_of')
    await store.execute("INSERT INTO btc_parties (id, address) SELECT toFixedString(substring(SHA256(name), 1, 20), 20), name FROM (SELECT arrayJoin({names:Array(String)}) AS name)", { names: ['a1', 'a2', 'b1', 'b2', 'g1', 'shop', 'm'].map(addressOf) })
    await insertBlocks(store, [block])
    await store.execute('INSERT INTO blocks (chain, block_number, block_hash, block_time, internal_complete, tx_count) SELECT chain, block_number, block_hash, block_time, true, tx_count FROM btc_blocks')
    const lists = listsOf('BTC'), written = new Set(['btc_flows', 'btc_entity_nets', 'btc_coinjoins', 'address_transfers', 'entity_token_segments', 'alerts'])
    await runStatements([...lists.enrich, ...lists.index, ...lists.alert].map((group) => group.filter(({ writes }) => written.has(writes))), { ...bitcoinBatch(2, 2, 0), hash: 'x' }, bitcoinContext(store))
    while (await runClusters(store, 'BTC', { memory: null }) !== null);
  })
  after(() => service.stop())

  /** Flow, net, sender, receiver and what that got, in coins. */
  const expected = [
    ['exchange_inflow', 499.9, 'Beta', 'Alpha', 499.9], ['exchange_inflow', 499.9, 'Beta', 'Alpha', 499.9], ['exchange_outflow', 60, 'Alpha', 'Beta', 60],
    ['exchange_inflow', 450, 'Beta', 'Alpha', 150], ['transfer', 300, 'Beta', '', 300], ['exchange_inflow', 199.9, 'Beta', 'Alpha', 100], ['internal', 0, 'Beta', '', 0],
  ]
  it('the feed tells who gained of whom, now and then', async () => {
    const feed = new Map<string, any>((await service.call('GET /v1/feed/btc/recent?min_btc=0&limit=200')).body.map((flow: any) => [flow.tx_hash, flow]))
    const found = txs.map((_, index) => feed.get(txidOf(block, index + 1)))
    const coins = (sats: string): number => Number(sats) / 1e8
    assert.deepEqual(found.map((flow) => [flow.flow, coins(flow.net_transfer_sats), flow.from_entity, flow.to_entity, coins(flow.to_transfer_sats)]), expected)
    assert.deepEqual(found.map(({ known_then: then }) => [then.flow, coins(then.net_transfer_sats), then.from_entity, then.to_entity]), expected.map((flow) => flow.slice(0, 4)))
    assert.deepEqual(found[5].receivers.map(({ entity, net_transfer_sats: sats }: any) => [entity, coins(sats)]), [['Alpha', 100], ['Gamma', 99.9]])
    assert.deepEqual([found[0].from_address, found[0].to_address, found[2].from_address], ['b1', 'a2', 'a1'].map(addressOf))
  })

  it('as do the rows of then, nets of entities and alerts', async () => {
    const rows = await service.store.query("SELECT toFloat64(to_amount) / 1e8 AS got, to_class AS class, to_address = toFixedString('', 20) AS nobody FROM btc_flows WHERE tx_index > 0 ORDER BY tx_index", {}, z.object({ got: z.number(), class: z.string(), nobody: z.coerce.boolean() }))
    assert.deepEqual(rows.map(({ got }) => got), expected.map((flow) => flow[4]))
    assert.deepEqual([rows[0]?.class, rows[2]?.class, rows[6]?.nobody], ['exchange', 'fund', true])
    const nets = await service.store.query("SELECT tx_index AS at, toString(entity) AS entity, toString(kind) AS kind, toFloat64(net) / 1e8 AS net FROM btc_entity_nets WHERE tx_index IN (1, 3) ORDER BY at, entity", {}, z.object({ at: z.number(), entity: z.string(), kind: z.string(), net: z.number() }))
    assert.deepEqual(nets.map(({ at, entity, kind, net }) => [at, entity, kind, net]), [[1, 'Alpha', 'in', 499.9], [1, 'Beta', 'out', -500], [3, 'Alpha', 'out', -60.1], [3, 'Beta', 'in', 60]])
    const alerts = await service.store.query('SELECT position, toString(rule) AS rule, toFloat64(amount) / 1e8 AS amount, summary FROM alerts ORDER BY position, rule', {}, z.object({ position: z.number(), rule: z.string(), amount: z.number(), summary: z.string() }))
    assert.deepEqual(alerts.map(({ position, rule, amount }) => [position, rule, amount]), [
      [1, 'exchange_inflow', 499.9], [1, 'whale_transfer', 499.9], [2, 'exchange_inflow', 499.9], [2, 'whale_transfer', 499.9], [3, 'exchange_outflow', 60], [4, 'exchange_inflow', 150], [4, 'whale_transfer', 450],
      [5, 'whale_transfer', 300], [6, 'exchange_inflow', 100], [6, 'whale_transfer', 199.9],
    ])
    assert.equal(alerts[0]?.summary, `499.90000000 BTC (value unknown) went into exchange Alpha (${addressOf('a2')}) from Beta (${addressOf('b1')})`)
  })
})
