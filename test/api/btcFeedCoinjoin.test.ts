/** Known CoinJoins in the feed of Bitcoin: called so where a detector is more sure than not, an owner's payment where it is not. */
import assert from 'node:assert/strict'
import { listsOf } from '../../stages/lists.js'
import { runStatements } from '../../stages/stage.js'
import { bitcoinBatch, bitcoinContext } from '../support/bitcoin.js'
import { addressOf, insertBlocks, type Tx } from '../support/btcLedger.js'
import { knownCoinjoins as known, txOf, type Known } from '../support/coinjoins.js'
import { priceWbtc } from './support/bitcoin.js'
import { startService, type Service } from './support/service.js'

/** The first of them once more, one of its inputs not known. */
const unsure = (one: Known): Tx => { const tx = txOf(one); return { ...tx, txid: 'cd'.repeat(32), ins: tx.ins.map((side, place) => (place === 0 ? { ...side, address: '', value: null } : side)) } }
/** Whatever is first in a block mints it. */
const minted: Tx = { coinbase: true, ins: [{ address: '', value: 0 }], outs: [{ address: addressOf('miner'), value: 312_500_000 }] }
const first = 920_000

describe('CoinJoins in the feed of Bitcoin', function () {
  this.timeout(60_000)
  let service: Service
  before(async () => {
    service = await startService()
    const { store } = service
    // Side by side, so that one span has them all: the detectors ask no more of a height than that it is late enough.
    await insertBlocks(store, [...known.map(txOf), unsure(known[0])].map((tx, index) => ({ number: first + index, txs: [minted, tx] })))
    await store.execute('INSERT INTO blocks (chain, block_number, block_hash, block_time, internal_complete, tx_count) SELECT chain, block_number, block_hash, block_time, true, tx_count FROM btc_blocks')
    // So much that each of their outputs is a large movement.
    for (let index = 0; index <= known.length; index += 1) await priceWbtc(store, Date.UTC(2019, 0, 1) / 1_000 + (first + index) * 600, 50_000_000)
    const written = new Set(['btc_flows', 'btc_coinjoins', 'prices', 'transfers'])
    await runStatements([...listsOf('BTC').enrich, ...listsOf('BTC').index].map((group) => group.filter(({ writes }) => written.has(writes))), { ...bitcoinBatch(first, first + known.length, 0), hash: 'x' }, bitcoinContext(store))
  })
  after(() => service.stop())
  const flows = async (query = ''): Promise<any[]> => (await service.call(`GET /v1/feed/btc/recent?min_btc=0${query}`)).body

  it('are coinjoin from a confidence of 50 on, transfer below, and unknown where an input is', async () => {
    const found = new Map((await flows()).map((one) => [one.tx_hash, one]))
    assert.deepEqual(known.map(({ txid, confidence }) => [confidence, found.get(txid).flow]), [[95, 'coinjoin'], [40, 'transfer'], [40, 'transfer'], [95, 'coinjoin'], [40, 'transfer'], [40, 'transfer'], [60, 'coinjoin']])
    const halved = found.get('cd'.repeat(32))
    assert.deepEqual([halved.flow, halved.inputs_unresolved, halved.from_address], ['unknown', 1, null])
  })

  it('name no sender in lists of large movements', async () => {
    const [whirlpool, likely] = known, newest = known.filter(({ confidence }) => confidence >= 50).at(-1)
    const { whales } = (await service.call('GET /v1/whales/recent?chain=BTC&limit=200')).body
    const sent = (txid: string) => whales.filter(({ tx_hash: hash }: any) => hash === txid).map(({ from_address: address, from_class: of }: any) => [address, of])
    const isNobody = ([address, of]: [string, string]): boolean => /^0x0{40}$/.test(address) && of === 'coinjoin'
    assert.ok(sent(newest?.txid ?? '').length > 1 && sent(newest?.txid ?? '').every(isNobody))
    assert.ok(whales.some(({ from_class: of }: any) => of === 'unknown'), 'what is less sure has the sender who brought most')
    const { items } = (await service.call('GET /v1/dashboard/whale-txs?chain=BTC&limit=500')).body
    const told = items.filter(({ hash }: any) => hash === whirlpool.txid)
    assert.ok(told.length === 5 && told.every(({ type, from, description }: any) => type === 'unknown' && /^0x0+$/.test(from) && / moved from one of those in a CoinJoin to 0x/.test(description)), JSON.stringify(told[0]))
    const guessed = items.filter(({ hash }: any) => hash === likely.txid)
    assert.ok(guessed.length > 0 && guessed.every(({ type, description }: any) => type === 'transfer' && / moved from 0x/.test(description)))
  })

  it('move what they pay to others than those who bring it', async () => {
    const [whirlpool] = known
    const one = (await flows()).find(({ tx_hash: hash }) => hash === whirlpool.txid)
    assert.deepEqual([one.net_transfer_btc, one.inputs, one.outputs, one.fee_sats], ['0.25000000', 5, 5, '30000'])
  })

  it('of a block that enrich has not come to nothing is told yet', async () => {
    const [newest, txid] = [first + known.length, 'cd'.repeat(32)], { store } = service
    const told = async (limit: number): Promise<boolean[]> => {
      const [txs, intents] = await Promise.all([`dashboard/txs?chain=BTC&limit=${limit}`, `dashboard/intents?chain=BTC&limit=${limit}`].map(async (path) => JSON.stringify((await service.call(`GET /v1/${path}`)).body)))
      return [(await flows(`&limit=${limit}`)).some((one) => one.tx_hash === txid), txs?.includes(txid) === true, intents?.includes(txid) === true]
    }
    assert.deepEqual(await told(50), [true, true, true])
    await store.execute('DELETE FROM btc_blocks WHERE block_number = {newest:UInt64}', { newest })
    assert.deepEqual(await told(49), [false, false, false])
    const { body: links } = await service.call(`GET /v1/btc/transactions/${txid}/links`)
    assert.deepEqual([links.block_number, links._meta.empty], [null, { is_successful_empty: false, empty_reason: 'data_gap' }])
  })
})
