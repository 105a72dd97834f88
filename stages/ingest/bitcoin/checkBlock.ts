/** Whether the bytes of a block are the whole of the block that was asked for, by its own hashes. Nothing but hashes and lengths is read here. */
import { Cursor, Misshapen } from '../../normalize/bitcoin/cursor.js'
import { merkleRoot, sha256d } from './bytes.js'
import { headerBytes, headerProblem, readHeader, type Demand } from './header.js'

/** What a check found: hashes as people write them; `problem` is '' where all is well. */
export interface Checked { readonly problem: string; readonly parent: string }

interface Walked { readonly start: number; readonly txid: Buffer; readonly wtxid: Buffer; readonly inputs: number; readonly witness: boolean; readonly extended: boolean }

const skipInputs = (cursor: Cursor): number => {
  const count = cursor.compact()
  for (let index = 0; index < count; index += 1) { cursor.take(36); cursor.take(cursor.compact()); cursor.take(4) }
  return count
}
const skipItems = (cursor: Cursor): void => { for (let items = cursor.compact(); items > 0; items -= 1) cursor.take(cursor.compact()) }
const skipOutputs = (cursor: Cursor): number => {
  const count = cursor.compact()
  for (let index = 0; index < count; index += 1) { cursor.take(8); cursor.take(cursor.compact()) }
  return count
}

/** Reads one transaction at the cursor's place. `mweb`: whether it may be the one that leads to an extension block. */
const walk = (cursor: Cursor, mweb: boolean): Walked => {
  const { bytes } = cursor, start = cursor.take(4), marked = bytes[cursor.at] === 0, flag = marked ? bytes[cursor.at + 1] ?? 0 : 0
  if (marked) {
    if (flag !== 1 && !(mweb && (flag === 8 || flag === 9))) throw new Misshapen(`a transaction of an unknown kind (flag ${flag})`)
    cursor.take(2)
  }
  const body = cursor.at, inputs = skipInputs(cursor), witness = (flag & 1) === 1, extended = (flag & 8) === 8
  skipOutputs(cursor)
  const end = cursor.at
  if (witness) for (let index = 0; index < inputs; index += 1) skipItems(cursor)
  if (extended && bytes[cursor.take(1)] !== 0) throw new Misshapen('a transaction with a part of an extension block')
  const locktime = cursor.take(4)
  const wtxid = sha256d(bytes.subarray(start, cursor.at))
  if (!marked) return { start, txid: wtxid, wtxid, inputs, witness, extended }
  const txid = sha256d(Buffer.concat([bytes.subarray(start, start + 4), bytes.subarray(body, end), bytes.subarray(locktime, locktime + 4)]))
  return { start, txid, wtxid: witness ? wtxid : txid, inputs, witness, extended }
}

const commitmentMark = Buffer.from('6a24aa21a9ed', 'hex')

/** What the coinbase at `start` commits the witnesses of its block to: the last output with the mark, and the reserved value of its own witness. */
const commitment = (block: Buffer, start: number): { readonly committed: Buffer | null; readonly reserved: Buffer | null } => {
  const cursor = new Cursor(block)
  cursor.at = start + 4
  const witness = block[cursor.at] === 0
  if (witness) cursor.take(2)
  skipInputs(cursor)
  let committed: Buffer | null = null
  for (let outputs = cursor.compact(); outputs > 0; outputs -= 1) {
    cursor.take(8)
    const length = cursor.compact(), at = cursor.take(length)
    if (length >= 38 && block.subarray(at, at + 6).equals(commitmentMark)) committed = block.subarray(at + 6, at + 38)
  }
  if (!witness) return { committed, reserved: null }
  const items = cursor.compact(), length = items === 1 ? cursor.compact() : 0
  return { committed, reserved: length === 32 ? block.subarray(cursor.at, cursor.at + 32) : null }
}

/** Unix time of the block from which on a commitment binds (481824): one in an older coinbase may be there by chance. */
const binding = 1_503_539_857

/** Whether witnesses are those the coinbase commits to (BIP 141); a block from before has neither. */
const witnessProblem = (block: Buffer, transactions: readonly Walked[], time: number): string => {
  const { committed, reserved } = commitment(block, transactions[0]?.start ?? headerBytes)
  const some = transactions.some(({ witness }) => witness)
  if (committed === null) return some ? 'witnesses nobody committed to' : ''
  if (!some && time < binding) return ''
  if (reserved === null) return 'witnesses are left out'
  const root = merkleRoot(transactions.map(({ wtxid }, index) => (index === 0 ? Buffer.alloc(32) : wtxid)))
  return root !== null && sha256d(Buffer.concat([root, reserved])).equals(committed) ? '' : 'other witnesses than the coinbase commits to'
}

/** Whether the spent outputs (a list of outputs for each transaction, none for the coinbase) fit the inputs. */
const spentProblem = (spent: Buffer, transactions: readonly Walked[]): string => {
  const cursor = new Cursor(spent), lists = cursor.compact()
  if (lists !== transactions.length) return `spent outputs: of ${lists} transactions, the block has ${transactions.length}`
  for (const [index, { inputs }] of transactions.entries()) {
    const given = skipOutputs(cursor)
    if (given !== (index === 0 ? 0 : inputs)) return `spent outputs: ${given} for the ${inputs} inputs of transaction ${index}`
  }
  return cursor.at === spent.length ? '' : 'spent outputs: more bytes than they should have'
}

const misshapen = (what: string, check: () => string): string => {
  try { return check() } catch (thrown) { if (thrown instanceof Misshapen) return `${what}: ${thrown.message}`; throw thrown }
}

const bodyProblem = (block: Buffer, spent: Buffer, root: Buffer, time: number, mweb: boolean): string => {
  const cursor = new Cursor(block)
  cursor.take(headerBytes)
  const count = cursor.compact(), transactions: Walked[] = []
  for (let index = 0; index < count; index += 1) transactions.push(walk(cursor, mweb))
  if (cursor.at !== block.length && !(transactions.at(-1)?.extended ?? false)) return 'block: more bytes than its transactions have'
  if (!(merkleRoot(transactions.map(({ txid }) => txid))?.equals(root) ?? false)) return 'block: its transactions are not those the header commits to'
  const witness = witnessProblem(block, transactions, time)
  if (witness !== '') return `block: ${witness}`
  return spent.length === 0 ? '' : misshapen('spent outputs', () => spentProblem(spent, transactions))
}

/** Checks a raw block and, where `spent` is not empty, the outputs its inputs spend. */
export const checkBlock = (block: Buffer, spent: Buffer, demand: Demand): Checked => {
  if (block.length < headerBytes) return { problem: `block: truncated: ${block.length} bytes, a header has ${headerBytes}`, parent: '' }
  const header = readHeader(block), problem = headerProblem(header, demand)
  if (problem !== '') return { problem: `block: ${problem}`, parent: '' }
  return { parent: header.parent, problem: misshapen('block', () => bodyProblem(block, spent, header.merkleRoot, header.time, demand.mweb)) }
}
