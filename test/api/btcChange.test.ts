/** What is an address of Bitcoin's own stays out of what it is measured by: change it gave itself, and coins that have no price. */
import assert from 'node:assert/strict'
import { indexWallets, insertPriced, spending } from '../support/btcAnswered.js'
import { addressOf, idOf, txidOf, type Block } from '../support/btcLedger.js'
import { startService, type Service } from './support/service.js'

const btc = 100_000_000
const out = (name: string, coins: number) => ({ address: addressOf(name), value: Math.round(coins * btc), type: 'pubkeyhash' })
/** All that `changer` has comes from one who is listed; it pays a hundredth nine times, the last time to a mixer, and gets the rest back each time. */
const blocks: Block[] = [{ number: 1, txs: [{ ins: [out('listed', 1)], outs: [out('changer', 1)] }] }]
for (let number = 2; number <= 10; number += 1) {
  const before = blocks[number - 2]!
  blocks.push({ number, txs: [{ ins: [spending(before, 0, number === 2 ? 0 : 1)], outs: [out(number === 10 ? 'mix' : `paid ${number}`, 0.01), out('changer', 1 - (number - 1) / 100)] }] })
}
/** Ten coins from one who is listed, and a little from anybody when nobody knew the price. */
blocks.push({ number: 11, txs: [{ ins: [out('listed', 10)], outs: [out('halfPriced', 10)] }, { ins: [out('listed', 1), out('clean', 1)], outs: [out('both', 2)] }, { ins: [out('listed', 1)], outs: [out('mixed', 1)] }, { ins: [out('anybody', 100), out('somebody', 100)], outs: [out('mixed', 99), out('other', 99)] }] },
  { number: 12, txs: [{ ins: [out('anybody', 0.00001)], outs: [out('halfPriced', 0.00001)] }, { ins: [out('anybody', 0.00001)], outs: [out('both', 0.00001)] }, { ins: [out('anybody', 0.00001)], outs: [out('mixed', 0.00001)] }] },
  // A mixer pays two at once, is paid together with others, and an input beside its own is not known; what it brings to a CoinJoin is told of that.
  { number: 13, txs: [{ ins: [out('mix', 3), out('other', 1)], outs: [out('user', 2), out('user2', 2)] }, { ins: [out('user', 2)], outs: [out('shop', 1), out('mix', 0.6), out('user', 0.4)] }, { ins: [out('mix', 1), { address: '', value: null }], outs: [out('vague', 1)] }, { ins: [out('mix', 10), out('user2', 10)], outs: [out('even', 10), out('even2', 10)] }] })

describe('the risk of an address of Bitcoin', function () {
  this.timeout(90_000)
  let service: Service
  const get = async (path: string): Promise<any> => (await service.call(`GET /v1/${path}`)).body
  const report = (name: string): Promise<any> => get(`wallets/compliance/${addressOf(name)}?chain=BTC`)
  before(async () => {
    service = await startService()
    const { store } = service
    for (const [name, category] of [['mix', 'mixer'], ['listed', 'sanctioned']] as const) {
      await store.insert('labels', [{ chain: 'BTC', address: `0x${idOf(addressOf(name))}`, label: name, entity: name, category, source: 'register', confidence: 100, licence: 'MIT', valid_from: '2009-01-01T00:00:00Z', removed: false, version: 1 }])
    }
    await store.execute('SYSTEM RELOAD DICTIONARY label_of')
    await insertPriced(store, blocks)
    await store.execute("INSERT INTO btc_coinjoins (chain, block_number, tx_index, txid, detector, detector_version, confidence) SELECT chain, block_number, tx_index, txid, 'joinmarket', 2, 60 FROM btc_transactions WHERE (block_number, tx_index) IN ((11, 3), (13, 3))")
    await indexWallets(store, 13)
    await store.execute("ALTER TABLE prices DELETE WHERE chain = 'BTC' AND block_number = 12 SETTINGS mutations_sync = 2")
    await store.execute('ALTER TABLE address_transfers UPDATE value_usd = NULL WHERE block_number = 12 SETTINGS mutations_sync = 2')
  })
  after(() => service.stop())

  it('is of what came from others and went to them, not of the change it gave itself', async () => {
    const { exposure, breakdown, risk_at_least: least } = await report('changer')
    const told = exposure.map((one: any) => [one.direction, one.kind, one.classification, Number(one.share.toFixed(6)), one.paths.reduce((sum: number, { share }: any) => sum + share, 0).toFixed(6)])
    assert.deepEqual(told.filter(([, kind]: any) => kind === 'direct'), [['source', 'direct', 'sanctioned', 1, '1.000000'], ['destination', 'direct', 'mixer', 0.111111, '0.111111']])
    const { direct, within_hops: within, interactions } = await get(`forensic/mixers/${addressOf('changer')}?chain=BTC`)
    assert.deepEqual([direct.map((one: any) => one.direction), within, interactions], [['deposit'], [], 1], 'its own use is not that of others')
    assert.deepEqual([least, breakdown.volume.score], [100, 92])
  })

  it('is at least what it dealt with at a price, though something has none', async () => {
    const told = await Promise.all(['halfPriced', 'both'].map(async (name) => { const { risk_at_least: least, risk_score: whole, exposure } = await report(name); return [least, whole, exposure.map((one: any) => one.share)] }))
    assert.deepEqual(told, [[100, null, [null]], [50, null, [null]]])
  })

  it('is at least that of all that has a price, also of what came out of a CoinJoin from nobody in particular', async () => {
    assert.equal((await report('mixed')).risk_at_least, 1)
  })

  it('tells direct uses of mixers that labels know, by shares of whole transactions', async () => {
    const direct = async (name: string): Promise<unknown> => (await get(`forensic/mixers/${addressOf(name)}?chain=BTC`)).direct.map((one: any) => [one.mixer, one.label, one.direction, one.transfers, one.amount, one.value_usd, one.confidence, one.tx_hash])
    const [mix, nobody] = [addressOf('mix'), `0x${'00'.repeat(20)}`]
    const tx = (number: number, index: number): string => txidOf(blocks[number - 1]!, index)
    assert.deepEqual(await direct('changer'), [[mix, 'mix', 'deposit', 1, '1000000', 500, 100, tx(10, 0)]])
    assert.deepEqual(await direct('user'), [[mix, 'mix', 'deposit', 1, '60000000', 30_000, 100, tx(13, 1)], [mix, 'mix', 'withdrawal', 1, '150000000', 75_000, 100, tx(13, 0)]])
    assert.deepEqual(await direct('vague'), [[mix, 'mix', 'withdrawal', 1, null, null, 100, tx(13, 2)]])
    assert.deepEqual(await direct('even'), [[nobody, 'CoinJoin (joinmarket)', 'withdrawal', 1, '1000000000', 500_000, 60, tx(13, 3)]])
    assert.deepEqual(await direct('other'), [[nobody, 'CoinJoin (joinmarket)', 'withdrawal', 1, '9900000000', 4_950_000, 60, tx(11, 3)]])
  })
})
