/** Transactions of Bitcoin with an input that is not known: what is paid in them may be change, so no sum that claims to be exact has it. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { listsOf } from '../../stages/lists.js'
import { runStatements } from '../../stages/stage.js'
import { bitcoinBatch, bitcoinContext } from '../support/bitcoin.js'
import { idOf, insertBlocks, txidOf, type Block } from '../support/btcLedger.js'
import { nameAddress } from '../support/clusters.js'
import { startService, type Service } from './support/service.js'

const btc = 100_000_000
const long = (name: string): string => name.padEnd(14, 'x')
const one = (address: string, value: number | null) => ({ address: value === null || address === '' ? '' : long(address), value })
const short: Block = { number: 1, txs: [
  { coinbase: true, ins: [one('', 0)], outs: [{ address: 'miner', value: 50 * btc }] },
  // Known: Alpha gets 60, Beta 30, a stranger 9.
  { ins: [one('rich', 100 * btc)], outs: [{ address: 'hot', value: 40 * btc }, { address: 'hot2', value: 20 * btc }, { address: 'beta', value: 30 * btc }, { address: 'shop', value: 9 * btc }] },
  // Not known: Alpha may have paid 1 to the shop and got the rest back.
  { ins: [one('', null), one('whoever', 20 * btc)], outs: [{ address: 'hot', value: 99 * btc }, { address: 'shop', value: btc }] },
  // Not known: Alpha pays at least.
  { ins: [one('', null), one('hot', 70 * btc)], outs: [{ address: 'shop', value: 80 * btc }, { address: 'hot', value: 5 * btc }] },
  // Known: Alpha pays 15 to two strangers.
  { ins: [one('hot', 40 * btc)], outs: [{ address: 'shop', value: 10 * btc }, { address: 'new', value: 5 * btc }, { address: 'hot2', value: 25 * btc - 1_000 }] },
  // Known: nothing leaves who holds it.
  { ins: [one('new', 5 * btc)], outs: [{ address: 'new', value: 5 * btc - 1_000 }] },
] }
const block: Block = { ...short, txs: short.txs.map((tx) => ({ ...tx, outs: tx.outs.map((out) => ({ ...out, address: long(out.address) })) })) }
const written = new Set(['prices', 'transfers', 'btc_flows', 'btc_entity_nets', 'entity_token_segments', 'class_segments', 'chunks', 'alerts', 'address_transfers'])

describe('Bitcoin with inputs that are not known', function () {
  this.timeout(120_000)
  let service: Service
  const get = async (path: string): Promise<any> => (await service.call(`GET /v1/${path}`)).body
  const tx = (index: number): string => txidOf(block, index)
  before(async () => {
    service = await startService()
    const { store } = service
    for (const [address, entity] of [['hot', 'Alpha'], ['hot2', 'Alpha'], ['beta', 'Beta']] as const) await nameAddress(store, `0x${idOf(long(address))}`, entity, 1)
    await store.execute('SYSTEM RELOAD DICTIONARY label_of')
    await insertBlocks(store, [block])
    await store.execute('INSERT INTO blocks (chain, block_number, block_hash, block_time, internal_complete, tx_count) SELECT chain, block_number, block_hash, block_time, true, tx_count FROM btc_blocks')
    await store.execute("INSERT INTO prices (chain, token, block_number, block_time, block_hash, usd, method, trades, depth_usd, generation) SELECT 'ETH', unhex('2260fac5e5542a773aa44fbcfedf7c193bc2c599'), 1, block_time, '', 10000, 'chainlink', 1, 0, 1 FROM btc_blocks")
    await store.execute("INSERT INTO btc_parties (id, address) SELECT toFixedString(substring(SHA256(name), 1, 20), 20), name FROM (SELECT rightPad(arrayJoin(['hot', 'hot2', 'beta', 'shop', 'new', 'rich', 'whoever', 'miner']), 14, 'x') AS name)")
    const { enrich, index, alert } = listsOf('BTC')
    await runStatements([...enrich, ...index, ...alert].map((group) => group.filter(({ writes }) => written.has(writes))), { ...bitcoinBatch(1, 1, 0), hash: 'x' }, bitcoinContext(store))
    await store.execute("INSERT INTO btc_blocks (chain, block_number, unresolved_inputs) SELECT 'BTC', 1, 2")
  })
  after(() => service.stop())

  it('the flow is unknown and so is the sender; an entity neither gains nor loses', async () => {
    const flows = await service.store.query("SELECT tx_index AS tx, flow, from_address = toFixedString('', 20) AS blank, from_entity AS sender, to_entity AS receiver, toString(net) AS net, toString(to_amount) AS got FROM btc_flows ORDER BY tx",
      {}, z.object({ tx: z.number(), flow: z.string(), blank: z.coerce.boolean(), sender: z.string(), receiver: z.string(), net: z.string(), got: z.string() }))
    assert.deepEqual(flows.map((row) => Object.values(row)), [
      [0, 'coinbase', true, '', '', String(50 * btc), String(50 * btc)], [1, 'exchange_inflow', false, '', 'Alpha', String(99 * btc), String(40 * btc)], [2, 'unknown', true, '', 'Alpha', String(100 * btc), String(99 * btc)],
      [3, 'unknown', true, '', '', String(80 * btc), String(80 * btc)], [4, 'exchange_outflow', false, 'Alpha', '', String(15 * btc), String(10 * btc)], [5, 'internal', false, '', '', '0', '0'],
    ])
    const nets = await service.store.query('SELECT tx_index AS tx, entity, toString(kind) AS kind, toString(received) AS taken, toString(sent) AS given FROM btc_entity_nets ORDER BY tx, entity', {}, z.object({ tx: z.number(), entity: z.string(), kind: z.string(), taken: z.string(), given: z.string() }))
    assert.deepEqual(nets.map((row) => Object.values(row)), [
      [1, 'Alpha', 'in', String(60 * btc), '0'], [1, 'Beta', 'in', String(30 * btc), '0'], [2, 'Alpha', 'unknown', String(99 * btc), '0'], [3, 'Alpha', 'unknown', String(5 * btc), String(70 * btc)], [4, 'Alpha', 'out', String(25 * btc - 1_000), String(40 * btc)],
    ])
  })

  it('exchange flows keep apart what may be change, by labels as then and as now, and coverage says so', async () => {
    const answer = await get('dashboard/exchange-flows?chain=BTC')
    const out = 15 * btc + 1_000
    const [alpha] = answer.exchanges
    assert.deepEqual([alpha.exchange, alpha.transfers_in, alpha.transfers_out, alpha.usd_in, alpha.usd_out, alpha.transfers_unknown, alpha.usd_unknown], ['Alpha', 1, 1, 600_000, out / btc * 10_000, 2, 1_040_000])
    assert.deepEqual([alpha.tokens[0].amount_in, alpha.tokens[0].amount_out, alpha.tokens[0].amount_unknown], [String(60 * btc), String(out), String(104 * btc)])
    assert.deepEqual([answer.usd_in, answer.usd_unknown], [900_000, 1_040_000])
    const [now] = answer.known_now
    assert.deepEqual([now.exchange, now.transfers_in, now.transfers_out, now.sats_in, now.sats_out, now.transfers_unknown, now.sats_unknown, now.usd_unknown], ['Alpha', 1, 1, String(60 * btc), String(out), 2, String(104 * btc), 1_040_000])
    assert.match(answer.coverage_status.warnings.join(), /inputs_unresolved: 2 inputs/)
    const market = await get('dashboard/market?chain=BTC')
    assert.deepEqual([market.exchange_flows.usd_in, market.exchange_flows.usd_unknown], [900_000, 1_040_000])
    assert.deepEqual(market.exchange_flows.top.map((one: any) => [one.exchange, one.usd_unknown, one.transfers_unknown]), [['Alpha', 1_040_000, 2], ['Beta', 0, 0]])
    assert.deepEqual([market.whale_activity.exchange_in_usd, market.whale_activity.exchange_unknown_usd], [900_000, 990_000])
    const { entity } = await get('entity/Alpha?chain=BTC')
    assert.deepEqual([entity.usd_in, entity.usd_unknown, entity.flows[0].amount_in, entity.flows[0].transfers_unknown, entity.flows[0].amount_unknown], [600_000, 1_040_000, String(60 * btc), 2, String(104 * btc)])
    assert.deepEqual([entity.btc_known_now.sats_in, entity.btc_known_now.sats_out, entity.btc_known_now.transfers_unknown, entity.btc_known_now.sats_unknown, entity.btc_known_now.usd_in], [String(60 * btc), String(out), 2, String(104 * btc), 600_000])
    const { entities } = await get('entity/list')
    assert.deepEqual(entities.map(({ name, usd_in: gained, usd_unknown: unsure }: any) => [name, gained, unsure]), [['Alpha', 600_000, 1_040_000], ['Beta', 300_000, 0]])
  })

  it('the feed names no sender, and gives each named receiver what it got', async () => {
    const rows = await get('feed/btc/recent?min_btc=0')
    const of = (index: number) => rows.find(({ tx_hash: hash }: any) => hash === tx(index))
    const { flow, from_address: from, from_entity: sender, from_cluster: cluster, inputs_unresolved: unresolved } = of(3)
    assert.deepEqual([flow, from, sender, cluster, unresolved], ['unknown', null, '', null, 1])
    assert.deepEqual([of(2).flow, of(2).to_entity], ['unknown', 'Alpha'])
    assert.deepEqual([of(1).flow, of(1).net_transfer_sats, of(1).to_entity, of(1).to_transfer_sats], ['exchange_inflow', String(99 * btc), 'Alpha', String(60 * btc)])
    assert.deepEqual(of(1).receivers.map(({ entity, net_transfer_sats: sats }: any) => [entity, sats]), [['Alpha', String(60 * btc)], ['Beta', String(30 * btc)]])
    assert.deepEqual((await get('feed/btc/recent?min_btc=0&entity_only=true')).map(({ tx_hash: hash }: any) => hash).sort(), [tx(1), tx(2), tx(4)].sort(), 'who may have paid is not known to be an entity')
  })

  it('movements, transactions and classes say that it may be change', async () => {
    const whales = await get('dashboard/whale-txs?chain=BTC')
    const unsure = whales.items.filter(({ hash }: any) => hash === tx(2))
    assert.deepEqual(unsure.map(({ type }: any) => type), ['unknown'])
    assert.match(unsure[0].description, /from an unknown sender to .*, or is its change/)
    assert.deepEqual((await get('whales/recent?chain=BTC&min_usd=900000')).whales.map(({ from_class: from }: any) => from), ['unresolved'])
    assert.deepEqual((await get('dashboard/txs?chain=BTC')).txs.map(({ tx_index: index, value, from_address: from, to_address: to }: any) => [index, value, from, to]), [
      [5, '0', long('new'), null], [4, String(15 * btc), long('hot'), long('shop')], [3, null, null, long('shop')], [2, null, null, long('hot')], [1, String(99 * btc), long('rich'), long('hot')], [0, String(50 * btc), null, long('miner')],
    ])
    const classes = await get('wallets/flow-explorer?chain=BTC&to_class=exchange')
    assert.deepEqual(classes.map(({ from_class: from, amount }: any) => [from, amount]), [['unresolved', String(99 * btc)], ['unknown', String(90 * btc)], ['exchange', String(25 * btc - 1_000)]])
    assert.deepEqual(await get('wallets/flow-explorer?chain=BTC&to_class=exchange&from_class=unresolved'), classes.slice(0, 1))
    // A transaction whose flow has not landed yet.
    await insertBlocks(service.store, [{ ...block, number: 2, txs: block.txs.slice(0, 1) }])
    assert.deepEqual((await get('dashboard/txs?chain=BTC&limit=1')).txs.map(({ block_number: number, value, value_usd: usd, fee, from_address: from, to_address: to }: any) => [number, value, usd, fee, from, to]), [[2, null, null, null, null, null]])
  })

  it('texts tell what each got, and of no flow of an exchange where that is not known; no alert does', async () => {
    const lines = await service.store.query("SELECT position, topic, text FROM chunks WHERE topic != 'block' ORDER BY position, topic", {}, z.object({ position: z.number(), topic: z.string(), text: z.string() }))
    assert.deepEqual(lines.map(({ position, topic, text }) => [position, topic, text.replace(/, in transaction .*/, '').replaceAll(/x{5,}/g, '')]), [
      [1, 'exchange_flow', 'Exchange flow: 60.00000000 BTC ($600,000) moved from rich to hot wallet (hot), into the exchange'],
      [1, 'whale_transfer', 'Large transfer: 99.00000000 BTC ($990,000) moved from rich, 60.00000000 BTC to Alpha, 30.00000000 BTC to Beta, 9.00000000 BTC to others'],
      [2, 'whale_transfer', 'Large transfer: 100.00000000 BTC ($1,000,000) moved from an unknown sender, 99.00000000 BTC to Alpha, 1.00000000 BTC to others, where 1 of its inputs spend what is not indexed, so all of it may be change'],
      [3, 'whale_transfer', 'Large transfer: 80.00000000 BTC ($800,000) moved from an unknown sender to shop, where 1 of its inputs spend what is not indexed, so all of it may be change'],
      [4, 'exchange_flow', 'Exchange flow: 15.00000000 BTC ($150,000) moved from hot wallet (hot), 10.00000000 BTC to shop, 5.00000000 BTC to others, out of the exchange'],
      [4, 'whale_transfer', 'Large transfer: 15.00000000 BTC ($150,000) moved from hot wallet (hot), 10.00000000 BTC to shop, 5.00000000 BTC to others'],
    ])
    const alerts = await service.store.query('SELECT position, toString(rule) AS rule FROM alerts ORDER BY position, rule', {}, z.object({ position: z.number(), rule: z.string() }))
    assert.deepEqual(alerts.map(({ position, rule }) => [position, rule]), [[1, 'exchange_inflow'], [2, 'whale_transfer']])
  })
})
