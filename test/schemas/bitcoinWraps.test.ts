/** P2SH addresses around segwit scripts, against inputs of a recorded block that show them. */
import assert from 'node:assert/strict'
import { wrappedIn, wrapsScript } from '../../schemas/bitcoinWraps.js'
import { recordedJson } from '../support/bitcoin.js'

interface Tx { readonly txid: string; readonly vin: readonly { readonly txid?: string; readonly vout: number; readonly scriptSig?: { readonly hex: string } }[]; readonly vout: readonly { readonly scriptPubKey: { readonly address?: string; readonly addresses?: readonly string[] } }[] }

describe('wrapped segwit', () => {
  it('is what inputs of a recorded block show of the addresses they spend, and back', () => {
    const { tx } = JSON.parse(recordedJson(540_107) ?? '{}') as { tx: Tx[] }
    const paid = new Map(tx.flatMap(({ txid, vout }) => vout.map(({ scriptPubKey: { address, addresses } }, place) => [`${txid}:${place}`, address ?? addresses?.[0]] as const)))
    const shown = tx.flatMap(({ vin }) => vin.map(({ txid, vout, scriptSig }) => [paid.get(`${txid}:${vout}`), scriptSig?.hex ?? ''] as const)).filter(([address, hex]) => address !== undefined && /^(160014|220020)/.test(hex))
    assert.ok(shown.length > 3)
    for (const [address = '', hex] of shown) {
      const segwit = wrapsScript(address, Buffer.from(hex.slice(2), 'hex'))
      assert.match(segwit ?? '', /^bc1q/)
      assert.equal(wrappedIn(segwit ?? ''), address)
    }
  })

  it('is not what another script or another kind of address is', () => {
    assert.equal(wrapsScript('3CBFum539BuPbku1tRicxrtRbVzvjREeLH', Buffer.from(`0014${'00'.repeat(20)}`, 'hex')), null)
    for (const address of ['1NpHuti9NSM9fVTXLkvSDU4AnhqGQ5N53d', '3CBFum539BuPbku1tRicxrtRbVzvjREeLH', 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr', '']) assert.equal(wrappedIn(address), null)
    assert.match(wrappedIn('bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080') ?? '', /^2/)
  })
})
