/** CoinJoins of Bitcoin in which an exchange or a mixer takes part: what leaves them is told as sent by nobody, what an exchange gets of them as its own. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { listsOf } from '../../stages/lists.js'
import { runStatements } from '../../stages/stage.js'
import { bitcoinBatch, bitcoinContext } from '../support/bitcoin.js'
import { insertPriced } from '../support/btcAnswered.js'
import { addressOf, idOf, insertBlocks, txidOf, type Block, type Tx } from '../support/btcLedger.js'
import { startService, type Service } from './support/service.js'

/** The last of its segment: flows between classes are those of rows of segments. */
const height = 400_001
const out = (name: string, coins: number) => ({ address: addressOf(name), value: Math.round(coins * 1e8) })
/** Each brings `size` and a rest, gets the rest back but for fees, and one of the equal outputs is his: as JoinMarket makes them. */
const joined = (size: number, payers: readonly [name: string, rest: number][], receivers: readonly string[]): Tx => ({
  ins: payers.map(([name, rest]) => out(name, size + rest)),
  outs: [...receivers.map((name) => out(name, size)), ...payers.map(([name, rest], place) => out(`change of ${name}`, rest + [0.0002, 0.0002, -0.001][place]!))],
})
const block: Block = { number: height, txs: [
  { coinbase: true, ins: [{ address: '', value: 0 }], outs: [out('miner', 1)] },
  // An exchange is one of those who pay; pays most, and another gets an output; a mixer is one of those who pay; an exchange gets more than it brings.
  joined(100, [['a', 50], ['kraken', 20], ['b', 10.01]], ['o1', 'o2', 'o3']),
  joined(100, [['kraken', 50], ['c', 20], ['d', 10.01]], ['bitstamp', 'o4', 'o5']),
  joined(10, [['mixer', 5], ['e', 2], ['f', 1.01]], ['o6', 'o7', 'o8']),
  joined(100, [['g', 50], ['h', 20], ['kraken', 10.01]], ['kraken2', 'kraken3', 'o9']),
  { ins: [out('kraken', 100)], outs: [out('shop', 60), out('kraken', 39.9)] },
] }
const txid = (index: number): string => txidOf(block, index)
const places = [1, 2, 3, 4, 5] as const

describe('who sends what comes out of a CoinJoin of Bitcoin', function () {
  this.timeout(120_000)
  let service: Service
  const get = async (path: string): Promise<any> => (await service.call(`GET /v1/${path}`)).body
  before(async () => {
    service = await startService()
    const { store } = service
    await store.insert('labels', [['kraken', 'Kraken', 'exchange'], ['kraken2', 'Kraken', 'exchange'], ['kraken3', 'Kraken', 'exchange'], ['bitstamp', 'Bitstamp', 'exchange'], ['mixer', 'Dark', 'mixer']].map(([name = '', entity, category]) => (
      { chain: 'BTC', address: `0x${idOf(addressOf(name))}`, label: `${entity}: hot`, entity, category, source: 'register', confidence: 90, licence: 'MIT', valid_from: '2009-01-01T00:00:00Z', removed: false, version: 1 })))
    await store.execute('SYSTEM RELOAD DICTIONARY label_of')
    const { key } = await service.api.parts.services.keys.issue({ name: 'one', role: 'agent', tier: 'compliance', rate_limit: 1_000_000, daily_cap: 0, scopes: ['read'], source_ip: '' })
    await service.call('POST /v1/monitoring/lists', { key, body: { name: 'n', addresses: ['b', 'o5', 'shop'].map(addressOf), min_usd: 0 } })
    await insertPriced(store, [block])
    const written = new Set(['prices', 'transfers', 'btc_flows', 'btc_entity_nets', 'address_transfers', 'address_segments', 'btc_coinjoins', 'chunks', 'alerts', 'class_segments', 'watched_transfers'])
    for (const stage of ['enrich', 'index', 'alert'] as const) await runStatements(listsOf('BTC')[stage].map((group) => group.filter(({ writes }) => written.has(writes))), { ...bitcoinBatch(height, height, 0), hash: 'x' }, bitcoinContext(store))
    const sure = await store.query('SELECT tx_index FROM btc_coinjoins WHERE confidence >= 50 ORDER BY tx_index', {}, z.object({ tx_index: z.number() }))
    assert.deepEqual(sure.map(({ tx_index: index }) => index), [1, 2, 3, 4])
  })
  after(() => service.stop())

  it('is not alerted as leaving an exchange; what an exchange got of it is, from nobody', async () => {
    const Row = z.object({ position: z.number(), rule: z.string(), version: z.number(), summary: z.string(), sender: z.string() })
    const told = await service.store.query('SELECT position, rule, rule_version AS version, summary, lower(hex(from_address)) AS sender FROM alerts ORDER BY position, rule', {}, Row)
    const nobody = '0'.repeat(40), kraken = idOf(addressOf('kraken')), hot = (name: string): string => `${name === 'kraken' ? 'Kraken' : 'Bitstamp'}: hot (${addressOf(name)})`
    assert.deepEqual(told.map(({ position, rule, version, summary, sender }) => [position, rule, version, summary.replace(/ \(\$\d+\)/, ''), sender]), [
      [1, 'mixer_use', 5, '380.00940000 BTC went through a CoinJoin (joinmarket)', nobody],
      [2, 'exchange_inflow', 5, `100.00000000 BTC went into exchange ${hot('bitstamp')} from one of those in a CoinJoin`, nobody],
      [2, 'mixer_use', 5, '380.00940000 BTC went through a CoinJoin (joinmarket)', nobody],
      [3, 'mixer_use', 5, '38.00940000 BTC went through a CoinJoin (joinmarket)', nobody],
      [4, 'exchange_inflow', 5, '89.99000000 BTC went into exchange Kraken from one of those in a CoinJoin', nobody],
      [4, 'mixer_use', 5, '180.00940000 BTC went through a CoinJoin (joinmarket)', nobody],
      [5, 'exchange_outflow', 5, `60.00000000 BTC left exchange ${hot('kraken')} for ${addressOf('shop')}`, kraken],
    ])
  })

  it('is told to who watches one of those who take part without naming another', async () => {
    const Row = z.object({ position: z.number(), direction: z.string(), other: z.string(), label: z.string(), of: z.string() })
    const told = await service.store.query('SELECT position, toString(direction) AS direction, lower(hex(other)) AS other, other_label AS label, toString(other_class) AS of FROM watched_transfers ORDER BY position', {}, Row)
    const nobody = '0'.repeat(40)
    assert.deepEqual(told.map((one) => Object.values(one)), [[1, 'out', nobody, '', 'coinjoin'], [2, 'in', nobody, '', 'coinjoin'], [5, 'in', idOf(addressOf('kraken')), 'Kraken: hot', 'exchange']])
  })

  it('is in no line as leaving an exchange or a mixer; what an exchange got of it is, from nobody', async () => {
    const Row = z.object({ position: z.number(), topic: z.string(), text: z.string(), addresses: z.array(z.string()) })
    const told = await service.store.query("SELECT position, topic, text, addresses FROM chunks WHERE topic != 'block' ORDER BY position, topic", {}, Row)
    const [kraken, bitstamp, shop] = ['kraken', 'bitstamp', 'shop'].map(addressOf)
    assert.deepEqual(told.map(({ position, topic, text, addresses }) => [position, topic, text.replace(/ \(\$[\d,]+\)/, '').replace(/, in transaction .*/, ''), addresses]), [
      [2, 'exchange_flow', `Exchange flow: 100.00000000 BTC moved from one of those in a CoinJoin to Bitstamp: hot (${bitstamp}), into the exchange`, [bitstamp]],
      [4, 'exchange_flow', 'Exchange flow: 89.99000000 BTC moved from one of those in a CoinJoin to Kraken, into the exchange', []],
      [5, 'exchange_flow', `Exchange flow: 60.00000000 BTC moved from Kraken: hot (${kraken}) to ${shop}, out of the exchange`, [kraken, shop]],
      [5, 'whale_transfer', `Large transfer: 60.00000000 BTC moved from Kraken: hot (${kraken}) to ${shop}`, [kraken, shop]],
    ])
  })

  it('is in the feed without a sender, now and as it was known then', async () => {
    const told = new Map((await get('feed/btc/recent')).map((one: any) => [one.tx_hash, one]))
    const of = (index: number): unknown => { const one: any = told.get(txid(index)); return [one.flow, one.net_transfer_btc, one.from_entity, one.from_address, one.from_cluster, one.to_entity, one.known_then.flow, one.known_then.from_entity] }
    assert.deepEqual(places.map(of), [
      ['coinjoin', '380.00940000', '', null, null, '', 'coinjoin', ''], ['coinjoin', '380.00940000', '', null, null, 'Bitstamp', 'coinjoin', ''], ['coinjoin', '38.00940000', '', null, null, '', 'coinjoin', ''],
      ['coinjoin', '180.00940000', '', null, null, '', 'coinjoin', ''], ['exchange_outflow', '60.00000000', 'Kraken', addressOf('kraken'), null, '', 'exchange_outflow', 'Kraken'],
    ])
    assert.deepEqual((await get('feed/btc/recent?entity_only=true')).map((one: any) => one.tx_hash), [txid(2), txid(5)])
  })

  it('has no sender in lists of transactions and of what they were for', async () => {
    const [{ txs }, { intents }] = await Promise.all([get('dashboard/txs?chain=BTC'), get('dashboard/intents?chain=BTC')])
    for (const told of [txs, intents]) assert.deepEqual(places.map((index) => told.find((one: any) => one.hash === txid(index)).from_address), [null, null, null, null, addressOf('kraken')])
    assert.equal(txs.find((one: any) => one.hash === txid(2)).from_label, '')
  })

  it('is no outflow among large movements, and what of it reaches an exchange may be its own', async () => {
    const { whale_activity: whales } = await get('dashboard/market?chain=BTC')
    assert.deepEqual([whales.exchange_in_usd, whales.exchange_out_usd, whales.exchange_unknown_usd], [0, 3_000_000, 15_000_000])
  })
  it('is nobody in the movements of who got it, and whose coin became which output is known of nobody who brought one', async () => {
    const of = async (name: string): Promise<unknown[]> => (await get(`wallets/transfers/${addressOf(name)}?chain=BTC`)).transfers
      .map((one: any) => [one.tx_hash, one.direction, one.counterparty, one.counterparty_label, one.counterparty_entity, one.counterparty_class])
    const nobody = `0x${'0'.repeat(40)}`
    assert.deepEqual(await of('bitstamp'), [[txid(2), 'in', nobody, '', '', 'coinjoin']], 'not Kraken, though it brought most')
    assert.deepEqual(await of('o6'), [[txid(3), 'in', nobody, '', '', 'coinjoin']], 'not the mixer')
    assert.deepEqual(await of('shop'), [[txid(5), 'in', addressOf('kraken'), 'Kraken: hot', 'Kraken', 'exchange']])
    assert.deepEqual(await of('mixer'), [[txid(3), 'out', nobody, '', '', 'coinjoin']])
    assert.deepEqual(await of('c'), [[txid(2), 'out', nobody, '', '', 'coinjoin']], 'not Bitstamp, though it has a name')
    assert.deepEqual((await of('kraken') as string[][]).filter(([hash, direction]) => hash === txid(5) && direction === 'out').map(([, , other]) => other), [addressOf('shop')])
  })

  it('is of a class of its own in flows between classes', async () => {
    const told = async (query = ''): Promise<unknown[]> => (await get(`wallets/flow-explorer?chain=BTC${query}`)).map((one: any) => [one.from_class, one.to_class, one.amount])
    const flows = [['coinjoin', 'unknown', '87803760000'], ['coinjoin', 'exchange', '30000000000'], ['exchange', 'unknown', '6000000000'], ['unknown', 'unknown', '100000000']]
    assert.deepEqual(await told(), flows)
    assert.deepEqual(await told('&from_class=coinjoin'), flows.slice(0, 2))
    assert.deepEqual(await told('&from_class=exchange'), flows.slice(2, 3))
  })

  it('what moves between addresses of one owner is no payment; what a label of its own does not cover is one', async () => {
    const { store } = service
    const own: Block = { number: height + 1, txs: [
      { ins: [out('kraken', 100)], outs: [out('kraken2', 99.9)] }, { ins: [out('kraken', 100)], outs: [out('kraken2', 50), out('kraken3', 20), out('kraken', 29.9)] },
      { ins: [out('kraken', 100)], outs: [out('kraken2', 10), out('kraken3', 10), out('kraken4', 10), out('kraken5', 10), out('kraken6', 10), out('kraken', 49.9)] },
      { ins: [out('kraken', 100)], outs: [out('kraken2', 60), out('shop', 39.9)] }, { ins: [out('x', 100)], outs: [out('y', 99.9)] }, { ins: [out('kraken', 100), { address: '', value: null }], outs: [out('kraken2', 150)] },
    ] }
    await store.insert('labels', ['kraken4', 'kraken5', 'kraken6'].map((name) => ({ chain: 'BTC', address: `0x${idOf(addressOf(name))}`, label: 'Kraken: hot', entity: 'Kraken', category: 'exchange', source: 'register', confidence: 90, licence: 'MIT', valid_from: '2009-01-01T00:00:00Z', removed: false, version: 1 })))
    await store.execute('SYSTEM RELOAD DICTIONARY label_of')
    await insertBlocks(store, [own])
    await runStatements(listsOf('BTC').enrich.map((group) => group.filter(({ writes }) => writes === 'btc_flows')), { ...bitcoinBatch(own.number, own.number, 0), hash: 'x' }, bitcoinContext(store))
    const told = await store.query('SELECT tx_index, verdict.1 AS intent, verdict.2 AS rule FROM btc_transaction_intents(chain = \'BTC\', blocks = {blocks:Array(UInt64)}, hashes = {hashes:Array(String)}) ORDER BY tx_index', { blocks: [own.number], hashes: own.txs.map((_, index) => txidOf(own, index)) }, z.object({ tx_index: z.number(), intent: z.string(), rule: z.string() }))
    const owners = ['internal', 'all of it stays with its owner']
    assert.deepEqual(told.map(({ intent, rule }) => [intent, rule]), [owners, owners, owners, ['payment', 'up to four outputs to others'], ['payment', 'up to four outputs to others'], ['other', 'an input is not known, so what is change is not']])
  })
})
