/** Risky wallets of Bitcoin that a sanctions list names in another text of the key: they are listed, as screening has it. */
import assert from 'node:assert/strict'
import { followLabels } from '../../stages/enrich/registers/sanctions/labels.js'
import { ofac } from '../../stages/enrich/registers/sanctions/ofac.js'
import { indexWallets, insertPriced } from '../support/btcAnswered.js'
import { addressOf, type Block } from '../support/btcLedger.js'
import { putLists } from './support/sanctions.js'
import { startService, type Service } from './support/service.js'

/** The one is listed as Bitcoin Cash writes it, the other in upper case, the third as it stands here. */
const [cash, loud, plain] = ['18Y8VPic2pZsvyLaYVdSLQdCuT2nAJJ3hd', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', addressOf('plain')] as const
const block: Block = { number: 1, txs: [{ ins: [{ address: addressOf('payer'), value: 4e8 }], outs: [cash, loud, plain].map((address) => ({ address, value: 1e8 })) }] }

describe('risky wallets of Bitcoin on a sanctions list', function () {
  this.timeout(90_000)
  let service: Service
  before(async () => {
    service = await startService()
    await insertPriced(service.store, [block])
    await indexWallets(service.store, 1)
    await putLists(service.store, {
      OFAC_SDN: [
        { address: 'qpf2cphc5dkuclkqur7lhj2yuqq9pk3hmukle77vhq', ticker: 'BCH', more: { also: [cash.toLowerCase()], chain: 'BCH' } }, { address: loud.toUpperCase(), ticker: 'XBT', id: '2', more: { chain: 'BTC' } }, { address: plain, ticker: 'XBT', id: '3', more: { chain: 'BTC' } },
      ], UK_HMT: [], IL_NBCTF: [], JP_MOF: [],
    })
    await followLabels(service.store, ofac, '2026-01-01', 'ab'.repeat(32), true)
  })
  after(() => service.stop())

  it('are listed under any text of the key', async () => {
    const { body } = await service.call('GET /v1/wallets/risky/BTC?min_risk=100')
    const told = (address: string): unknown => body.filter((one: any) => one.address === address).map((one: any) => [one.classification, one.sanctioned, one.reasons[0]])
    for (const address of [cash, loud, plain]) {
      assert.deepEqual(told(address), [['sanctioned', true, 'Listed by a sanctions register']], address)
      assert.equal((await service.call('POST /v1/forensic/screen', { body: { address } })).body.sanctions_status, 'MATCH', address)
    }
  })
})
