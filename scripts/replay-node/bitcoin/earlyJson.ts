/**
 * The first blocks as getblock writes them with transactions, made of their bytes: all they pay and spend lies within them. In the shape of
 * the recorded answers: without asm, desc, hex of transactions, confirmations, mediantime and chainwork.
 */
import { headerOf } from './header.js'
import { sha256d, shown, stripped, transactionsOf, type Output } from './wire.js'

interface Origin { readonly height: number; readonly generated: boolean; readonly outputs: readonly Output[] }

/** An amount in coins, by its digits: no float is made of it. */
const coins = (value: bigint): string => `coins:${value / 100_000_000n}.${String(value % 100_000_000n).padStart(8, '0')}`
/** Text of JSON in which amounts stand as numbers with all their digits. */
const written = (value: unknown): Buffer => Buffer.from(JSON.stringify(value).replace(/"coins:(\d+\.\d{8})"/g, '$1'))

/** Whole public keys are all these blocks pay; a key has no address. */
const scriptPubKey = (script: Buffer): object => {
  if (script.length !== 67 || script[0] !== 65 || script[66] !== 0xac) throw new Error(`not a public key: ${script.toString('hex')}`)
  return { hex: script.toString('hex'), type: 'pubkey' }
}

/** Answers to getblock for `blocks`, which begin at height 1 and stand on one another. */
export const openEarlyJson = (blocks: readonly Buffer[]): ((height: number, verbosity: 2 | 3) => Buffer) => {
  const origins = new Map<string, Origin>()
  for (const [index, block] of blocks.entries()) {
    for (const [place, transaction] of transactionsOf(block).entries()) origins.set(shown(sha256d(stripped(block, transaction))), { height: index + 1, generated: place === 0, outputs: transaction.outputs })
  }
  const spentBy = (txid: string, vout: number): Origin & { readonly output: Output } => {
    const origin = origins.get(txid), output = origin?.outputs[vout]
    if (origin === undefined || output === undefined) throw new Error(`spends ${txid}:${vout}, which is not in these blocks`)
    return { ...origin, output }
  }
  return (height, verbosity) => {
    const block = blocks[height - 1] ?? Buffer.alloc(0)
    const tx = transactionsOf(block).map((transaction, place) => {
      const { start, end, inputs, outputs } = transaction, size = end - start, txid = shown(sha256d(stripped(block, transaction)))
      let fee = -outputs.reduce((sum, { value }) => sum + value, 0n)
      const vin = inputs.map(({ at, index, script }) => {
        const sequence = block.readUInt32LE(at + 36 + (script.length < 0xfd ? 1 : 3) + script.length)
        if (place === 0) return { coinbase: script.toString('hex'), sequence }
        const from = shown(block.subarray(at, at + 32)), { height: of, generated, output } = spentBy(from, index)
        fee += output.value
        const prevout = verbosity === 3 ? { prevout: { generated, height: of, value: coins(output.value), scriptPubKey: scriptPubKey(output.script) } } : {}
        return { txid: from, vout: index, scriptSig: { hex: script.toString('hex') }, ...prevout, sequence }
      })
      return {
        txid, hash: txid, version: block.readInt32LE(start), size, vsize: size, weight: 4 * size, locktime: block.readUInt32LE(end - 4), vin,
        vout: outputs.map(({ value, script }, n) => ({ value: coins(value), n, scriptPubKey: scriptPubKey(script) })), ...(place === 0 ? {} : { fee: coins(fee) }),
      }
    })
    return written({ ...headerOf(block, height), strippedsize: block.length, size: block.length, weight: 4 * block.length, tx })
  }
}
