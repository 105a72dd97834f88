/** Which addresses count as Bitcoin's: those of the network that is followed, and no others. */
import assert from 'node:assert/strict'
import { toBase58check, toSegwit } from '../../schemas/addresses/encodings.js'
import { bitcoinScriptType } from '../../schemas/bitcoin.js'
import { networks, type Network } from '../../schemas/bitcoinNetworks.js'
import { insertBlocks } from '../support/btcLedger.js'
import { putLists } from './support/sanctions.js'
import { startService } from './support/service.js'

const program = Buffer.alloc(20, 7)
const written = ({ p2pkh, p2sh, hrp }: Network): readonly string[] => [toBase58check(Buffer.concat([Buffer.of(p2pkh), program])), toBase58check(Buffer.concat([Buffer.of(p2sh), program])), toSegwit(program, hrp)]
const named = (name: string): readonly [genesis: string, network: Network] => Object.entries(networks).find(([, network]) => network.name === name) ?? assert.fail(name)

describe('addresses of networks of Bitcoin', function () {
  this.timeout(120_000)
  it('are told by the network, or are of any', () => {
    for (const network of Object.values(networks)) assert.deepEqual(written(network).map((one) => bitcoinScriptType(one, network)), ['pubkeyhash', 'scripthash', 'witness_v0_keyhash'], network.name)
    const [, main] = named('Bitcoin'), [, regtest] = named('Bitcoin regtest')
    assert.deepEqual(written(regtest).map((one) => [bitcoinScriptType(one), bitcoinScriptType(one, main)]), [['pubkeyhash', null], ['scripthash', null], ['witness_v0_keyhash', null]])
  })

  for (const [own, other] of [['Bitcoin', 'Bitcoin testnet3'], ['Litecoin regtest', 'Bitcoin']] as const) {
    it(`where ${own} is followed one of ${other} is no input: nothing is said of it and no score given`, async () => {
      const [[genesis, network], [, strange]] = [named(own), named(other)]
      const service = await startService({ BTC_GENESIS: genesis })
      try {
        await insertBlocks(service.store, [{ number: 1, txs: [{ coinbase: true, ins: [{ address: '', value: 0 }], outs: [{ address: written(network)[0] ?? '', value: 50 }] }] }])
        await service.store.execute('INSERT INTO blocks (chain, block_number, block_hash, block_time, internal_complete, tx_count) SELECT chain, block_number, block_hash, block_time, true, tx_count FROM btc_blocks')
        await putLists(service.store, { OFAC_SDN: [], UK_HMT: [], IL_NBCTF: [], JP_MOF: [] })
        const reasonOf = async (path: string): Promise<unknown> => (await service.call(`GET /v1/${path}`)).body._meta.empty?.empty_reason
        for (const address of written(strange)) {
          for (const path of [`wallets/${address}?chain=BTC`, `wallets/transfers/${address}?chain=BTC`, `wallets/trail/${address}?chain=BTC`, `btc/clusters/${address}`, `forensic/mixers/${address}?chain=BTC`, `forensic/abuse/${address}?chain=BTC`]) assert.equal(await reasonOf(path), 'unsupported_input', path)
          const { risk_score: score, risk_level: level, complete, exposure, _meta: { empty } } = (await service.call(`GET /v1/wallets/compliance/${address}?chain=BTC`)).body
          assert.deepEqual([score, level, complete, exposure, empty], [null, null, false, null, { is_successful_empty: false, empty_reason: 'unsupported_input' }], address)
        }
        for (const address of written(network)) {
          assert.notEqual(await reasonOf(`wallets/${address}?chain=BTC`), 'unsupported_input', address)
          const { complete, exposure } = (await service.call(`GET /v1/wallets/compliance/${address}?chain=BTC`)).body
          assert.deepEqual([complete, exposure], [true, []], address)
        }
      } finally { await service.stop() }
    })
  }
})
