/** Whether the bytes of a block are the whole of the block that was asked for, by its own hashes. Nothing but hashes and lengths is read here. */
import { Cursor, Misshapen } from '../../normalize/bitcoin/cursor.js'
import { merkleRoot, noParts, sha256d, walk, writeTxid, type Parts } from '../../normalize/bitcoin/decodeBlock.js'
import { headerBytes, headerProblem, readHeader, type Demand } from './header.js'

/** What a check found: hashes as people write them; `problem` is '' where all is well. `txids`: those of a raw block side by side, as they are hashed. */
export interface Checked { readonly problem: string; readonly parent: string; readonly txids?: Buffer }

const commitmentMark = Buffer.from('6a24aa21a9ed', 'hex')

/** What a coinbase commits the witnesses of its block to: the last output with the mark, and the reserved value of its own witness. */
const commitment = (block: Buffer, coinbase: Parts): { readonly committed: Buffer | null; readonly reserved: Buffer | null } => {
  const cursor = new Cursor(block)
  cursor.at = coinbase.outputs
  let committed: Buffer | null = null
  for (let outputs = cursor.compact(); outputs > 0; outputs -= 1) {
    cursor.take(8)
    const length = cursor.compact(), at = cursor.take(length)
    if (length >= 38 && block.subarray(at, at + 6).equals(commitmentMark)) committed = block.subarray(at + 6, at + 38)
  }
  if (coinbase.witness === coinbase.locktime) return { committed, reserved: null }
  const length = cursor.compact() === 1 ? cursor.compact() : 0
  return { committed, reserved: length === 32 ? block.subarray(cursor.at, cursor.at + 32) : null }
}

/** Unix time of the block from which on a commitment binds (481824): one in an older coinbase may be there by chance. */
const binding = 1_503_539_857

/** Whether witnesses are those the coinbase commits to (BIP 141); a block from before has neither. `tree`: hashes of whole transactions, zeros for the coinbase, used up. */
const witnessProblem = (block: Buffer, coinbase: Parts, some: boolean, tree: Buffer, count: number, time: number): string => {
  const { committed, reserved } = commitment(block, coinbase)
  if (committed === null) return some ? 'witnesses nobody committed to' : ''
  if (!some && time < binding) return ''
  if (reserved === null) return 'witnesses are left out'
  const root = merkleRoot(tree, count)
  return root !== null && sha256d(Buffer.concat([root, reserved])).equals(committed) ? '' : 'other witnesses than the coinbase commits to'
}

/** Whether the spent outputs (a list of outputs for each transaction, none for the coinbase) fit the inputs. */
const spentProblem = (spent: Buffer, inputs: readonly number[]): string => {
  const cursor = new Cursor(spent), lists = cursor.compact()
  if (lists !== inputs.length) return `spent outputs: of ${lists} transactions, the block has ${inputs.length}`
  for (const [index, wanted] of inputs.entries()) {
    const given = cursor.compact()
    for (let output = 0; output < given; output += 1) { cursor.take(8); cursor.take(cursor.compact()) }
    if (given !== (index === 0 ? 0 : wanted)) return `spent outputs: ${given} for the ${wanted} inputs of transaction ${index}`
  }
  return cursor.at === spent.length ? '' : 'spent outputs: more bytes than they should have'
}

type Body = Pick<Checked, 'problem' | 'txids'>

const misshapen = (what: string, check: () => Body): Body => {
  try { return check() } catch (thrown) { if (thrown instanceof Misshapen) return { problem: `${what}: ${thrown.message}` }; throw thrown }
}

const checkBody = (block: Buffer, spent: Buffer, root: Buffer, time: number, mweb: boolean): Body => {
  const cursor = new Cursor(block)
  cursor.take(headerBytes)
  const count = cursor.compact()
  if (count > block.length / 60) return { problem: `block: truncated: ${count} transactions in ${block.length} bytes` }
  const stripped = Buffer.alloc((count + 1) * 32), whole = Buffer.alloc((count + 1) * 32), inputs: number[] = [], parts = noParts()
  let coinbase = parts, some = false
  for (let index = 0; index < count; index += 1) {
    walk(cursor, parts, mweb)
    if (index === 0) coinbase = { ...parts }
    const witnessed = parts.locktime - parts.witness > (parts.extended ? 1 : 0), at = index * 32
    writeTxid(block, parts, stripped, at)
    // A coinbase cannot commit to its own hash: zeros stand for it.
    if (index > 0 && witnessed) sha256d(block.subarray(parts.start, parts.end), whole, at)
    else if (index > 0) stripped.copy(whole, at, at, at + 32)
    some ||= witnessed
    inputs.push(parts.inputCount)
  }
  if (cursor.at !== block.length && !parts.extended) return { problem: 'block: more bytes than its transactions have' }
  const txids = Buffer.from(stripped.subarray(0, count * 32))
  if (merkleRoot(stripped, count)?.equals(root) !== true) return { problem: 'block: its transactions are not those the header commits to' }
  const witness = witnessProblem(block, coinbase, some, whole, count, time)
  if (witness !== '') return { problem: `block: ${witness}` }
  return spent.length === 0 ? { problem: '', txids } : misshapen('spent outputs', () => ({ problem: spentProblem(spent, inputs), txids }))
}

/** Checks a raw block and, where `spent` is not empty, the outputs its inputs spend. */
export const checkBlock = (block: Buffer, spent: Buffer, demand: Demand): Checked => {
  if (block.length < headerBytes) return { problem: `block: truncated: ${block.length} bytes, a header has ${headerBytes}`, parent: '' }
  const header = readHeader(block), problem = headerProblem(header, demand)
  if (problem !== '') return { problem: `block: ${problem}`, parent: '' }
  return { parent: header.parent, ...misshapen('block', () => checkBody(block, spent, header.merkleRoot, header.time, demand.mweb)) }
}
