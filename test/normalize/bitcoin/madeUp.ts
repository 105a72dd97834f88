/** Blocks made up from a description, as bytes, as the outputs they spend, and as a node's JSON: written here by the rules, not by the code under test. */
import { createHash } from 'node:crypto'
import { jsonAnswer, rawAnswer, type BitcoinAnswer } from '../../support/bitcoin.js'

export interface Out { readonly value: bigint; readonly script: Buffer; readonly type: string }
export interface In { readonly txid: string; readonly vout: number; readonly sequence: number; readonly script: Buffer; readonly witness: readonly Buffer[]; /** What it spends, where the node says so. */ readonly spends?: Out }
export interface Tx { readonly version: number; readonly locktime: number; readonly ins: readonly In[]; readonly outs: readonly Out[] }
export interface Made { readonly block: Buffer; readonly spent: Buffer; readonly json: string; readonly txids: readonly string[] }

const sha256d = (bytes: Buffer): Buffer => createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest()
const shown = (bytes: Buffer): string => Buffer.from(bytes).reverse().toString('hex')
const uint = (value: number | bigint, width: 4 | 8): Buffer => { const bytes = Buffer.alloc(width); if (width === 4) bytes.writeUInt32LE(Number(value)); else bytes.writeBigUInt64LE(BigInt(value)); return bytes }
const compact = (count: number): Buffer => {
  if (count < 0xfd) return Buffer.from([count])
  const bytes = Buffer.alloc(count < 0x10000 ? 3 : 5)
  bytes[0] = count < 0x10000 ? 0xfd : 0xfe
  if (count < 0x10000) bytes.writeUInt16LE(count, 1); else bytes.writeUInt32LE(count, 1)
  return bytes
}
const bytesOf = (bytes: Buffer): Buffer => Buffer.concat([compact(bytes.length), bytes])
const outOf = ({ value, script }: Out): Buffer => Buffer.concat([uint(value, 8), bytesOf(script)])
const vector = (items: readonly Buffer[]): Buffer => Buffer.concat([compact(items.length), ...items])

/** The coinbase of a block: what its miner wrote, and whom it pays. */
export const coinbase = (text: Buffer, outs: readonly Out[]): Tx => ({ version: 1, locktime: 0, outs, ins: [{ txid: '0'.repeat(64), vout: 0xffffffff, sequence: 0xffffffff, script: text, witness: [] }] })

const parts = (tx: Tx) => {
  const version = Buffer.alloc(4)
  version.writeInt32LE(tx.version)
  const body = Buffer.concat([
    vector(tx.ins.map((one) => Buffer.concat([Buffer.from(one.txid, 'hex').reverse(), uint(one.vout, 4), bytesOf(one.script), uint(one.sequence, 4)]))), vector(tx.outs.map(outOf))])
  const stripped = Buffer.concat([version, body, uint(tx.locktime, 4)])
  if (!tx.ins.some((one) => one.witness.length > 0)) return { stripped, whole: stripped }
  return { stripped, whole: Buffer.concat([version, Buffer.from([0, 1]), body, ...tx.ins.map((one) => vector(one.witness.map(bytesOf))), uint(tx.locktime, 4)]) }
}

const merkle = (hashes: readonly Buffer[]): Buffer => (hashes.length === 1 ? hashes[0] as Buffer : merkle(
  Array.from({ length: Math.ceil(hashes.length / 2) }, (_, index) => sha256d(Buffer.concat([hashes[2 * index] as Buffer, hashes[2 * index + 1] ?? hashes[2 * index] as Buffer])))))

/** An amount as Bitcoin Core writes it. */
const coins = (value: bigint): string => `${value / 100_000_000n}.${String(value % 100_000_000n).padStart(8, '0')}`
/** Text of JSON in which amounts stand as digits, not as floats. */
const written = (value: unknown): string => JSON.stringify(value).replace(/"coins:([0-9.]+)"/g, '$1')
const scriptOf = (out: Out) => ({ value: `coins:${coins(out.value)}`, scriptPubKey: { hex: out.script.toString('hex'), type: out.type } })

/** A block of `txs` (the first its coinbase) on `parent`; no work is shown for it. */
export const makeBlock = (number: number, txs: readonly Tx[], parent = '0'.repeat(64)): Made => {
  const made = txs.map(parts), hashes = made.map(({ stripped }) => sha256d(stripped)), root = merkle(hashes)
  const [time, bits, nonce] = [1_700_000_000 + number, 0x1d00ffff, 7]
  const header = Buffer.concat([uint(0x20000000, 4), Buffer.from(parent, 'hex').reverse(), root, uint(time, 4), uint(bits, 4), uint(nonce, 4)])
  const block = Buffer.concat([header, vector(made.map(({ whole }) => whole))])
  const stripped = 80 + compact(txs.length).length + made.reduce((sum, one) => sum + one.stripped.length, 0)
  const json = written({
    hash: shown(sha256d(header)), height: number, version: 0x20000000, merkleroot: shown(root), time, bits: bits.toString(16), nonce, previousblockhash: parent, nTx: txs.length,
    size: block.length, strippedsize: stripped, weight: 3 * stripped + block.length,
    tx: txs.map((tx, index) => {
      const { whole, stripped: bare } = made[index] as ReturnType<typeof parts>
      return {
        txid: shown(hashes[index] as Buffer), hash: shown(sha256d(whole)), version: tx.version, size: whole.length, weight: 3 * bare.length + whole.length, locktime: tx.locktime,
        vin: tx.ins.map((one) => (index === 0 ? { coinbase: one.script.toString('hex'), sequence: one.sequence } : {
          txid: one.txid, vout: one.vout, scriptSig: { hex: one.script.toString('hex') }, sequence: one.sequence, ...(one.spends === undefined ? {} : { prevout: { generated: false, height: 1, ...scriptOf(one.spends) } }),
        })),
        vout: tx.outs.map((out, n) => ({ ...scriptOf(out), n })),
      }
    }),
  })
  const spent = txs.slice(1).some((tx) => tx.ins.some((one) => one.spends !== undefined))
    ? vector(txs.map((tx, index) => (index === 0 ? compact(0) : vector(tx.ins.map((one) => outOf(one.spends ?? { value: 0n, script: Buffer.alloc(0), type: '' }))))))
    : Buffer.alloc(0)
  return { block, spent, json, txids: hashes.map(shown) }
}

export const madeRaw = (number: number, made: Made): BitcoinAnswer => rawAnswer(number, made.block, made.spent)
export const madeJson = (number: number, made: Made): BitcoinAnswer => jsonAnswer(number, made.json)

/** Satoshis of an amount as JSON may write it: 1.5, 1e-05. */
export const satoshis = (value: string): bigint => {
  const [digits = '0', exponent = '0'] = value.toLowerCase().split('e'), [whole = '0', part = ''] = digits.split('.')
  const scale = 8 + Number(exponent) - part.length, all = BigInt(whole + part)
  return scale >= 0 ? all * 10n ** BigInt(scale) : all / 10n ** BigInt(-scale)
}
/** JSON with its amounts as strings of the digits they were written in. */
export const withTexts = (json: string): string => json.replace(/"(value|fee)":([0-9.eE+-]+)/g, '"$1":"$2"')

/** The spent outputs of a block, out of its JSON at verbosity 3, as REST writes them. */
export const spentOf = (json: string): Buffer => {
  interface Vin { readonly prevout?: { readonly value: string; readonly scriptPubKey: { readonly hex: string } } }
  const { tx } = JSON.parse(withTexts(json)) as { tx: { vin: Vin[] }[] }
  return vector(tx.map(({ vin }, index) => (index === 0 ? compact(0) : vector(vin.map(({ prevout }) => outOf({ value: satoshis(prevout?.value ?? '0'), script: Buffer.from(prevout?.scriptPubKey.hex ?? '', 'hex'), type: '' }))))))
}
