/** The decoder alone: what other networks put into blocks, bodies that were doubled, a thread that is asked much at once. */
import assert from 'node:assert/strict'
import { checkBlock } from '../../../stages/ingest/bitcoin/checkBlock.js'
import { decodeBlock, writingOf } from '../../../stages/normalize/bitcoin/decodeBlock.js'
import { decodeApart } from '../../../stages/normalize/bitcoin/decoder.js'
import { networks } from '../../../schemas/bitcoinNetworks.js'
import { plain } from '../../../schemas/slots.js'
import { blockHashOf, mainnet, recordedBlock } from '../../support/bitcoin.js'
import { coinbase, makeBlock, type Out, type Tx } from './madeUp.js'

const out: Out = { value: 1n, type: 'witness_v0_keyhash', script: Buffer.concat([Buffer.from('0014', 'hex'), Buffer.alloc(20, 9)]) }
const spender: Tx = { version: 2, locktime: 0, outs: [out], ins: [{ txid: '11'.repeat(32), vout: 0, sequence: 0, script: Buffer.alloc(0), witness: [] }] }
const decode = (block: Buffer, mweb: boolean): Buffer => decodeBlock({ number: 1, hash: blockHashOf(block), block, spent: Buffer.alloc(0), txids: Buffer.alloc(0) }, writingOf({ ...mainnet, hrp: 'rltc', mweb }))

describe('decoding a block', () => {
  it("reads Litecoin's last transaction and leaves out the extension block behind it; Bitcoin knows neither", () => {
    const { block } = makeBlock(1, [coinbase(Buffer.from('x'), [out]), spender])
    const size = 4 + 1 + 41 + 1 + 31 + 4, from = block.length - size
    const extended = Buffer.concat([block.subarray(0, from + 4), Buffer.from('0008', 'hex'), block.subarray(from + 4, from + size - 4), Buffer.from('00', 'hex'), block.subarray(from + size - 4), Buffer.from('01aabbcc', 'hex')])
    const plain = decode(block, true), row = decode(extended, true)
    assert.ok(row.includes('rltc1'))
    // The same transactions: their ids, amounts and scripts.
    assert.ok(row.subarray(-200).equals(plain.subarray(-200)))
    assert.throws(() => decode(extended, false), /unknown kind \(flag 8\)/)
    assert.throws(() => decode(Buffer.concat([block, Buffer.from('01aabbcc', 'hex')]), true), /4 bytes more/)
  })

  it('refuses a body whose end is repeated, though it has the same merkle root', () => {
    const { block } = makeBlock(1, [coinbase(Buffer.from('x'), [out]), spender, { ...spender, version: 3 }])
    const size = 4 + 1 + 41 + 1 + 31 + 4
    const doubled = Buffer.concat([block.subarray(0, 80), Buffer.from([4]), block.subarray(81), block.subarray(-size)])
    assert.equal(blockHashOf(doubled), blockHashOf(block))
    assert.throws(() => decode(doubled, false), /not those its header commits to/)
  })

  it('refuses spent outputs that are more together than all coins', () => {
    const { block } = makeBlock(1, [coinbase(Buffer.from('x'), [out]), { ...spender, ins: [0, 1, 2, 3, 4].map((vout) => ({ txid: '11'.repeat(32), vout, sequence: 0, script: Buffer.alloc(0), witness: [] })) }])
    // No transaction spends anything but the second: five amounts without scripts.
    const spent = (each: bigint): Buffer => { const amount = Buffer.alloc(9); amount.writeBigUInt64LE(each); return Buffer.concat([Buffer.from([2, 0, 5]), ...Array.from({ length: 5 }, () => amount)]) }
    const decoded = (each: bigint): Buffer => decodeBlock({ number: 1, hash: blockHashOf(block), block, spent: spent(each), txids: Buffer.alloc(0) }, writingOf(mainnet))
    assert.ok(decoded(2_000_000_000_000n).length > 0)
    assert.throws(() => decoded(2n ** 51n - 1n), /spends more than all coins/)
    assert.throws(() => decoded(2n ** 51n), /an amount beyond all coins/)
  })

  it('takes the hashes ingest worked out, as long as the header commits to them', () => {
    const block = recordedBlock(482_683), hash = blockHashOf(block), spent = Buffer.alloc(0)
    const { problem, txids = assert.fail() } = checkBlock(block, spent, { hash, work: true, easiest: 0x1d00ffff, mweb: false })
    const told = (kept: Buffer): Buffer => decodeBlock({ number: 482_683, hash, block, spent, txids: kept }, writingOf(mainnet))
    assert.equal(problem, '')
    assert.ok(told(txids).equals(told(Buffer.alloc(0))))
    assert.throws(() => told(txids.subarray(32)), /another number of transactions/)
    assert.throws(() => told(Buffer.concat([txids.subarray(32, 64), txids.subarray(0, 32), txids.subarray(64)])), /not those its header commits to/)
  })

  it('happens apart, in order of asking, and goes on after a refusal', async () => {
    const ask = async (height: number, cut = 0): Promise<Buffer> => {
      const block = recordedBlock(height), hash = blockHashOf(block)
      return (await decodeApart(height, hash, { block: plain(block.subarray(0, block.length - cut)), spent: plain(Buffer.alloc(0)), txids: plain(Buffer.alloc(0)) }, mainnet)).bytes
    }
    const [first, refused, second] = await Promise.allSettled([ask(482_683), ask(482_683, 9), ask(1)])
    assert.equal(first.status, 'fulfilled')
    assert.equal(refused.status, 'rejected')
    assert.match(String((refused as PromiseRejectedResult).reason), /Block 482683 cannot be read/)
    assert.deepEqual(Buffer.from((second as PromiseFulfilledResult<Buffer>).value), decodeBlock({ number: 1, hash: blockHashOf(recordedBlock(1)), block: recordedBlock(1), spent: Buffer.alloc(0), txids: Buffer.alloc(0) }, writingOf(mainnet)))
  })

  it('takes rows that outgrow the room for them', async () => {
    // Many outputs of a few bytes each: what is written of one is several times as long.
    const { block } = makeBlock(1, [coinbase(Buffer.from('x'), Array.from({ length: 30_000 }, () => ({ value: 1n, type: 'nonstandard', script: Buffer.alloc(0) })))])
    const hash = blockHashOf(block), bare = plain(Buffer.alloc(0))
    for (let time = 0; time < 3; time += 1) {
      const { bytes, release } = await decodeApart(1, hash, { block: plain(block), spent: bare, txids: bare }, mainnet)
      assert.ok(bytes.length > 3 * block.length)
      assert.ok(bytes.equals(decodeBlock({ number: 1, hash, block, spent: bare.bytes, txids: bare.bytes }, writingOf(mainnet))))
      release()
    }
  })

  it('knows every network by the hash of its first block', () => {
    assert.equal(Object.keys(networks).every((hash) => /^[0-9a-f]{64}$/.test(hash)), true)
    assert.equal(new Set(Object.values(networks).map(({ name }) => name)).size, Object.keys(networks).length)
  })
})
