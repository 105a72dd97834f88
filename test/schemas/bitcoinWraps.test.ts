/** P2SH addresses around segwit scripts, against inputs of a recorded block that show them. */
import assert from 'node:assert/strict'
import { toSegwit } from '../../schemas/addresses/encodings.js'
import { networks } from '../../schemas/bitcoinNetworks.js'
import { wrappedIn, wrapsScript } from '../../schemas/bitcoinWraps.js'
import { mainnet, recordedJson } from '../support/bitcoin.js'

interface Tx { readonly txid: string; readonly vin: readonly { readonly txid?: string; readonly vout: number; readonly scriptSig?: { readonly hex: string } }[]; readonly vout: readonly { readonly scriptPubKey: { readonly address?: string; readonly addresses?: readonly string[] } }[] }

describe('wrapped segwit', () => {
  it('is what inputs of a recorded block show of the addresses they spend, and back', () => {
    const { tx } = JSON.parse(recordedJson(540_107) ?? '{}') as { tx: Tx[] }
    const paid = new Map(tx.flatMap(({ txid, vout }) => vout.map(({ scriptPubKey: { address, addresses } }, place) => [`${txid}:${place}`, address ?? addresses?.[0]] as const)))
    const shown = tx.flatMap(({ vin }) => vin.map(({ txid, vout, scriptSig }) => [paid.get(`${txid}:${vout}`), scriptSig?.hex ?? ''] as const)).filter(([address, hex]) => address !== undefined && /^(160014|220020)/.test(hex))
    assert.ok(shown.length > 3)
    for (const [address = '', hex] of shown) {
      const segwit = wrapsScript(address, Buffer.from(hex.slice(2), 'hex'), mainnet)
      assert.match(segwit ?? '', /^bc1q/)
      assert.equal(wrappedIn(segwit ?? '', mainnet), address)
    }
  })

  it('is not what another script or another kind of address is', () => {
    assert.equal(wrapsScript('3CBFum539BuPbku1tRicxrtRbVzvjREeLH', Buffer.from(`0014${'00'.repeat(20)}`, 'hex'), mainnet), null)
    for (const address of ['1NpHuti9NSM9fVTXLkvSDU4AnhqGQ5N53d', '3CBFum539BuPbku1tRicxrtRbVzvjREeLH', 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr', '']) assert.equal(wrappedIn(address, mainnet), null)
  })

  for (const [genesis, network] of Object.entries(networks)) it(`is written as the network does, both ways: ${network.name} ${genesis.slice(0, 8)}`, () => {
    const begins = { Bitcoin: /^3/, Litecoin: /^M/, 'Litecoin regtest': /^Q/ }[network.name] ?? /^2/
    for (const program of [Buffer.alloc(20, 7), Buffer.alloc(32, 7)]) {
      const native = toSegwit(program, network.hrp), script = Buffer.concat([Buffer.of(0, program.length), program]), around = wrappedIn(native, network) ?? ''
      assert.match(around, begins)
      assert.equal(wrapsScript(around, script, network), native)
      for (const other of Object.values(networks).filter(({ hrp }) => hrp !== network.hrp)) assert.equal(wrappedIn(native, other), null)
      for (const other of Object.values(networks).filter(({ p2sh }) => p2sh !== network.p2sh)) assert.equal(wrapsScript(around, script, other), null)
    }
  })

  it('is what others say of a key: BIP 49 for test networks', () => {
    // BIP 49's test vector: the hash of its key, and the address it gives.
    assert.equal(wrapsScript('2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2', Buffer.from('001438971f73930f6c141d977ac4fd4a727c854935b3', 'hex'), { hrp: 'tb', p2sh: 0xc4 }), toSegwit(Buffer.from('38971f73930f6c141d977ac4fd4a727c854935b3', 'hex'), 'tb'))
  })
})
