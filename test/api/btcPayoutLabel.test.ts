/** Whose a block of Bitcoin is: by what its coinbase says, else by the label of an address it pays. */
import assert from 'node:assert/strict'
import { bitcoinText } from '../../schemas/bitcoin.js'
import { coinbase, madeRaw, makeBlock, type Out } from '../normalize/bitcoin/madeUp.js'
import { addressOf, hashOf, idOf } from '../support/btcLedger.js'
import { nameAddress } from '../support/clusters.js'
import { passBitcoinBatch } from './support/bitcoin.js'
import { startService, type Service } from './support/service.js'

/** Pays the address that `addressOf` makes of a name. */
const pay = (name: string, value: bigint): Out => ({ value, type: 'pubkeyhash', script: Buffer.from(`76a914${hashOf(`${name}!`).slice(0, 40)}88ac`, 'hex') })
const first = 900_000
const blocks = [
  { text: 'nobody knows this', outs: [pay('desk', 200_000_000n), pay('pool', 90_000_000n), pay('other pool', 22_500_000n)] },
  { text: '\u0000/F2Pool/\u0001', outs: [pay('pool', 312_500_000n)] },
  { text: 'nor this', outs: [pay('desk', 312_500_000n), pay('stranger', 100n)] },
  // The same address is paid, by a transaction that is none of the miner's.
  { text: '', outs: [pay('stranger', 312_500_000n)], txs: [{ version: 2, locktime: 0, outs: [pay('pool', 5_000n)], ins: [{ txid: 'ab'.repeat(32), vout: 0, sequence: 0, script: Buffer.alloc(0), witness: [], spends: pay('stranger', 6_000n) }] }] },
]

describe('the miner of a block of Bitcoin', function () {
  this.timeout(60_000)
  let service: Service
  before(async () => {
    service = await startService()
    const { store } = service
    for (const [name, entity, category] of [['desk', 'Desk', 'exchange'], ['pool', 'Deep Pool', 'miner'], ['other pool', 'Other Pool', 'miner']] as const) await nameAddress(store, `0x${idOf(addressOf(name))}`, entity, 1, { category })
    await store.execute('SYSTEM RELOAD DICTIONARY label_of')
    await passBitcoinBatch(store, blocks.map(({ text, outs, txs = [] }, index) => madeRaw(first + index, makeBlock(first + index, [coinbase(Buffer.from(text, 'latin1'), outs), ...txs]))), 1)
  })
  after(() => service.stop())
  const miner = async (index: number): Promise<unknown> => { const { block: { bitcoin: { miner: name, miner_by: by } } } = (await service.call(`GET /v1/blocks/BTC/${first + index}`)).body; return [name, by] }

  it('whom the coinbase does not name is the labelled miner it pays most', async () => {
    assert.equal(bitcoinText(addressOf('pool')), addressOf('pool'))
    assert.deepEqual(await miner(0), ['Deep Pool', 'payout_label'])
  })
  it('is whom the coinbase names, whatever the label of the address says', async () => { assert.deepEqual(await miner(1), ['F2Pool', 'coinbase_tag']) })
  it('is not known where it pays only others: an exchange may hold what a miner gets', async () => { assert.deepEqual(await miner(2), ['', 'unknown']) })
  it('is not who is paid by another transaction of the block', async () => { assert.deepEqual(await miner(3), ['', 'unknown']) })
})
