/** Labels of Bitcoin that name no entity (a mixer's, an exchange's of a tag pack without actors), CoinJoins, inputs that are not known and change: who moved what to whom. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { listsOf } from '../../stages/lists.js'
import { runStatements } from '../../stages/stage.js'
import { bitcoinBatch, bitcoinContext } from '../support/bitcoin.js'
import { insertPriced } from '../support/btcAnswered.js'
import { idOf, txidOf, type Block } from '../support/btcLedger.js'
import { nameAddress } from '../support/clusters.js'
import { startService, type Service } from './support/service.js'

const btc = 100_000_000, number = 400_000
const long = (name: string): string => (name === '' ? '' : name.padEnd(14, 'x'))
const one = (address: string, value: number | null) => ({ address: long(address), value })
const out = (address: string, value: number) => ({ address: long(address), value })
const block: Block = { number, txs: [
  { coinbase: true, ins: [one('', 0)], outs: [out('miner', 50 * btc)] },
  { ins: [one('a', 3 * btc)], outs: [out('mix', 3 * btc)] },
  // Change of the unknown input may be anywhere, but the mixer got something.
  { ins: [one('', null), one('b', 20 * btc)], outs: [out('mix', 15 * btc), out('c', btc)] },
  { ins: [one('cold', 600 * btc)], outs: [out('cold2', 600 * btc)] },
  // The largest input is of a label without an entity; Alpha's own is the named one.
  { ins: [one('cold2', 5 * btc), one('hot', 4 * btc)], outs: [out('d', btc), out('hot2', 799_000_000)] },
  // Three equal ones and a rest for each; who asked for it pays the others.
  { ins: [one('p1', 12 * btc), one('p2', 13 * btc), one('p3', 14 * btc)], outs: [out('q1', 10 * btc), out('q2', 10 * btc), out('q3', 10 * btc), out('r1', 199_000_000), out('r2', 299_000_000), out('r3', 400_010_000)] },
  { ins: [one('e', 60 * btc)], outs: [out('cold', 60 * btc)] },
  { ins: [one('', null), one('f', 5 * btc)], outs: ['g1', 'g2', 'g3', 'g4', 'g5'].map((address) => out(address, btc)) },
  { ins: [one('rich', 1_000 * btc)], outs: [out('h', 1_000_000), out('rich', 1_000 * btc - 1_000_000)] },
  // A mixer beside an exchange that gets more, and an exchange beside somebody named who gets more.
  { ins: [one('i', 15 * btc)], outs: [out('hot', 10 * btc), out('blend', 5 * btc)] },
  { ins: [one('i', 81 * btc)], outs: [out('till', 61 * btc), out('hot', 20 * btc)] },
] }
const written = new Set(['prices', 'transfers', 'btc_flows', 'btc_entity_nets', 'entity_token_segments', 'btc_coinjoins', 'chunks', 'alerts', 'address_transfers'])

describe('labels of Bitcoin without an entity', function () {
  this.timeout(120_000)
  let service: Service
  const tx = (index: number): string => txidOf(block, index)
  const get = async (path: string): Promise<any> => (await service.call(`GET /v1/${path}`)).body
  before(async () => {
    service = await startService()
    const { store } = service
    for (const [address, label, category] of [['mix', 'ChipMixer', 'mixer'], ['cold', 'Foo cold', 'exchange'], ['cold2', 'Foo cold', 'exchange']] as const) await nameAddress(store, `0x${idOf(long(address))}`, '', 1, { label, category, removed: false })
    for (const [address, entity, category] of [['blend', 'Blendy', 'mixer'], ['till', 'Payer', 'service']] as const) await nameAddress(store, `0x${idOf(long(address))}`, entity, 1, { label: entity, category })
    for (const address of ['hot', 'hot2']) await nameAddress(store, `0x${idOf(long(address))}`, 'Alpha', 1)
    await store.execute('SYSTEM RELOAD DICTIONARY label_of')
    await insertPriced(store, [block])
    const { enrich, index, alert } = listsOf('BTC')
    await runStatements([...enrich, ...index, ...alert].map((group) => group.filter(({ writes }) => written.has(writes))), { ...bitcoinBatch(number, number, 0), hash: 'x' }, bitcoinContext(store))
  })
  after(() => service.stop())

  it('what goes back to one label is its own; who is named goes before who is only labelled', async () => {
    const rows = await service.store.query('SELECT tx_index AS tx, flow, from_entity AS sender, to_label AS receiver, toString(net) AS net FROM btc_flows WHERE tx_index IN (1, 2, 3, 4, 6) ORDER BY tx',
      {}, z.object({ tx: z.number(), flow: z.string(), sender: z.string(), receiver: z.string(), net: z.string() }))
    assert.deepEqual(rows.map((row) => Object.values(row)), [
      [1, 'transfer', '', 'ChipMixer', String(3 * btc)], [2, 'unknown', '', 'ChipMixer', String(16 * btc)], [3, 'internal', '', '', '0'], [4, 'exchange_outflow', 'Alpha', '', String(btc)], [6, 'exchange_inflow', '', 'Foo cold', String(60 * btc)],
    ])
    const [sent] = await service.store.query('SELECT lower(hex(from_address)) AS address, from_label AS label FROM btc_flows WHERE tx_index = 4', {}, z.object({ address: z.string(), label: z.string() }))
    assert.deepEqual(sent, { address: idOf(long('hot')), label: 'hot wallet' }, 'the address is the one the label is about, though another brought more')
    const live = new Map((await get('feed/btc/recent?min_btc=0')).map((row: any) => [row.tx_hash.replace('0x', ''), [row.flow, row.known_then?.flow]]))
    for (const [index, flow] of [[3, 'internal'], [4, 'exchange_outflow'], [6, 'exchange_inflow']] as const) assert.deepEqual(live.get(tx(index)), [flow, flow], `transaction ${index}`)
  })

  it('texts and alerts tell what a mixer or an exchange got', async () => {
    const Row = z.object({ tx: z.number(), kind: z.string(), text: z.string(), usd: z.number().nullable() })
    const told = await service.store.query("SELECT position AS tx, toString(topic) AS kind, text, value_usd AS usd FROM chunks WHERE topic != 'block' ORDER BY tx, kind", {}, Row)
    const begins = told.map(({ tx: place, kind, text, usd }) => [place, kind, text.replace(/ BTC .*/, ''), usd])
    assert.deepEqual(begins, [
      [1, 'mixer', 'Mixer use: 3.00000000', 150_000], [2, 'mixer', 'Mixer use: 16.00000000', 800_000], [2, 'whale_transfer', 'Large transfer: 16.00000000', 800_000],
      [6, 'exchange_flow', 'Exchange flow: 60.00000000', 3_000_000], [6, 'whale_transfer', 'Large transfer: 60.00000000', 3_000_000],
      [9, 'exchange_flow', 'Exchange flow: 10.00000000', 500_000], [9, 'mixer', 'Mixer use: 5.00000000', 250_000], [9, 'whale_transfer', 'Large transfer: 15.00000000', 750_000],
      [10, 'exchange_flow', 'Exchange flow: 20.00000000', 1_000_000], [10, 'whale_transfer', 'Large transfer: 81.00000000', 4_050_000],
    ], 'a CoinJoin is no transfer of one to another')
    assert.match(told.find(({ tx: place, kind }) => place === 9 && kind === 'mixer')?.text ?? '', / moved from ix+ to Blendy, into the mixer, in transaction /)
    assert.match(told.find(({ tx: place, kind }) => place === 10 && kind === 'exchange_flow')?.text ?? '', / moved from ix+ to Alpha, into the exchange, in transaction /)
    const alerts = await service.store.query("SELECT position AS tx, toString(rule) AS kind, summary AS text, value_usd AS usd FROM alerts WHERE rule IN ('mixer_use', 'exchange_inflow', 'exchange_outflow') ORDER BY tx, kind", {}, Row)
    assert.deepEqual(alerts.filter(({ kind }) => kind === 'mixer_use').map(({ tx: place, text }) => [place, text]), [
      [1, '3.00000000 BTC ($150000) entered mixer ChipMixer (mixxxxxxxxxxxx) from axxxxxxxxxxxxx'], [2, '16.00000000 BTC ($800000) moved in a transaction of mixer ChipMixer (mixxxxxxxxxxxx); 1 of its inputs spend what is not indexed, so change may be in it'], [5, '38.98010000 BTC ($1949005) went through a CoinJoin (joinmarket)'],
      [9, '5.00000000 BTC ($250000) entered mixer Blendy from ixxxxxxxxxxxxx'],
    ])
    assert.deepEqual(alerts.filter(({ tx: place }) => place === 3), [], 'what goes back to one label is told by no rule on exchanges')
  })

  it('a purpose is not guessed while an input is not known', async () => {
    const { intents } = await get('dashboard/intents?chain=BTC&limit=50')
    const row = intents.find(({ hash }: any) => hash === tx(7))
    assert.deepEqual([row.intent, row.rule], ['other', 'an input is not known, so what is change is not'])
  })

  it('change is no volume', async () => {
    const [row] = (await get('wallets/top/BTC?limit=100')).filter((wallet: any) => wallet.address === long('rich'))
    assert.deepEqual([row.transfers_in, row.transfers_out, row.usd_in, row.usd_out, row.volume_usd], [0, 1, 0, 500, 500])
  })
})
