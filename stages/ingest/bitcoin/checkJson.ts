/** Whether a node's JSON about a block is the whole of the block that was asked for: its header is put together again and hashed. */
import { z } from 'zod'
import { merkleRoot } from '../../normalize/bitcoin/decodeBlock.js'
import type { Checked } from './checkBlock.js'
import { headerProblem, readHeader, type Demand } from './header.js'

const Hash = z.string().regex(/^[0-9a-f]{64}$/)
const Block = z.object({
  version: z.number().int(), previousblockhash: Hash.optional(), merkleroot: Hash, time: z.number().int(), bits: z.string().regex(/^[0-9a-f]{8}$/), nonce: z.number().int(),
  tx: z.array(z.object({ txid: Hash, vin: z.array(z.unknown()).min(1), vout: z.array(z.unknown()).min(1) })).min(1),
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

/** Checks the whole JSON-RPC answer to getblock with transactions. Amounts are not looked at: no hash in this shape covers them. */
export const checkJson = (answer: Buffer, demand: Demand): Checked => {
  let parsed: unknown
  try { parsed = JSON.parse(answer.toString('utf8')) } catch { return { problem: `block: truncated or not JSON (${answer.length} bytes)`, parent: '' } }
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
  return { parent: header.parent, problem: root?.equals(header.merkleRoot) === true ? '' : 'block: its transactions are not those the header commits to' }
}
