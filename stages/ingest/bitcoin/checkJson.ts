/** Whether a node's JSON about a block is the whole of the block that was asked for: its header and its transactions are put together again and hashed. */
import { z } from 'zod'
import { satoshisOf } from '../../../schemas/satoshis.js'
import { compact } from '../../normalize/bitcoin/cursor.js'
import { merkleRoot, sha256d, shown } from '../../normalize/bitcoin/decodeBlock.js'
import type { Checked } from './checkBlock.js'
import { headerProblem, readHeader, type Demand } from './header.js'

const Hash = z.string().regex(/^[0-9a-f]{64}$/), Uint32 = z.number().int().min(0).max(0xffffffff)
const Transaction = z.object({
  txid: Hash, version: z.number().int(), locktime: Uint32,
  vin: z.array(z.object({ coinbase: z.string().optional(), txid: Hash.optional(), vout: Uint32.optional(), scriptSig: z.object({ hex: z.string() }).optional(), sequence: Uint32.optional() })).min(1),
  vout: z.array(z.object({ value: z.string(), scriptPubKey: z.object({ hex: z.string() }) })).min(1),
})
const Block = z.object({
  version: z.number().int(), previousblockhash: Hash.optional(), merkleroot: Hash, time: z.number().int(), bits: z.string().regex(/^[0-9a-f]{8}$/), nonce: z.number().int(), tx: z.array(Transaction).min(1),
})
const Answer = z.object({ result: Block })

/** The bytes of a hash that people wrote. */
const wired = (hash: string): Buffer => Buffer.from(hash, 'hex').reverse()

const headerOf = (block: z.infer<typeof Block>): Buffer => {
  const bytes = Buffer.alloc(80)
  bytes.writeInt32LE(block.version | 0, 0)
  if (block.previousblockhash !== undefined) wired(block.previousblockhash).copy(bytes, 4)
  wired(block.merkleroot).copy(bytes, 36)
  bytes.writeUInt32LE(block.time, 68)
  bytes.writeUInt32LE(Number.parseInt(block.bits, 16), 72)
  bytes.writeUInt32LE(block.nonce, 76)
  return bytes
}

const uint32 = (value: number): Buffer => { const bytes = Buffer.allocUnsafe(4); bytes.writeUInt32LE(value >>> 0); return bytes }
const scriptOf = (hex: string): Buffer[] => { const bytes = Buffer.from(hex, 'hex'); return [compact(bytes.length), bytes] }
const none = Buffer.alloc(32)

/** What is wrong with a transaction, '' if nothing, and where it leaves out what its hash is of: what a spender shows, or what is spent, as inputs out of an extension block have none. */
const transactionProblem = ({ txid, version, locktime, vin, vout }: z.infer<typeof Transaction>): string => {
  const pieces = [uint32(version), compact(vin.length)]
  for (const { coinbase, txid: spent, vout: place, scriptSig, sequence } of vin) {
    const script = coinbase ?? scriptSig?.hex, from = coinbase === undefined ? spent : ''
    if (script === undefined || from === undefined || sequence === undefined) return ''
    pieces.push(from === '' ? none : wired(from), uint32(coinbase === undefined ? place ?? 0 : 0xffffffff), ...scriptOf(script), uint32(sequence))
  }
  pieces.push(compact(vout.length))
  for (const { value, scriptPubKey } of vout) {
    const amount = Buffer.allocUnsafe(8), satoshis = satoshisOf(value)
    if (satoshis === null || satoshis >= 1n << 63n) return 'has an amount that is not a whole number of satoshis'
    amount.writeBigUInt64LE(satoshis)
    pieces.push(amount, ...scriptOf(scriptPubKey.hex))
  }
  pieces.push(uint32(locktime))
  return shown(sha256d(Buffer.concat(pieces))) === txid ? '' : 'is not the one of its hash'
}

/** An amount is read as the digits it is written in: a quote inside a string of JSON is never bare. */
const withTexts = (json: string): string => json.replace(/"value"\s*:\s*([-+0-9.eE]+)/g, '"value":"$1"')

/** Checks the whole JSON-RPC answer to getblock with transactions. What inputs spend is not looked at: no hash of this block covers it. */
export const checkJson = (answer: Buffer, demand: Demand): Checked => {
  let parsed: unknown
  try { parsed = JSON.parse(withTexts(answer.toString('utf8'))) } catch { return { problem: `block: truncated or not JSON (${answer.length} bytes)`, parent: '' } }
  const shaped = Answer.safeParse(parsed)
  if (!shaped.success) {
    const issue = shaped.error.issues[0]
    return { problem: `block: not a block with transactions (${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''})`, parent: '' }
  }
  const header = readHeader(headerOf(shaped.data.result))
  const problem = headerProblem(header, demand)
  if (problem !== '') return { problem: `block: ${problem}`, parent: '' }
  const { tx } = shaped.data.result
  // Room for one more, which the tree needs.
  const root = merkleRoot(Buffer.concat([...tx.map(({ txid }) => wired(txid)), Buffer.alloc(32)]), tx.length)
  if (root?.equals(header.merkleRoot) !== true) return { parent: header.parent, problem: 'block: its transactions are not those the header commits to' }
  for (const [index, one] of tx.entries()) {
    const wrong = transactionProblem(one)
    if (wrong !== '') return { parent: header.parent, problem: `block: transaction ${index} ${wrong}` }
  }
  return { parent: header.parent, problem: '' }
}
