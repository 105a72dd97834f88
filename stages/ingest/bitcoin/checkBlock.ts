/** Whether the bytes of a block are the whole of the block that was asked for, by its own hashes. Nothing but hashes and lengths is read here. */
import { merkleRoot, Misshapen, openReader, sha256d, type Reader } from './bytes.js'
import { headerBytes, headerProblem, readHeader, type Demand } from './header.js'

/** What a check found: hashes as people write them; `problem` is '' where all is well. */
export interface Checked { readonly problem: string; readonly parent: string }

interface Walked { readonly txid: Buffer; readonly wtxid: Buffer; readonly inputs: number; readonly witness: boolean }

const skipVector = (reader: Reader, each: () => void): number => {
  const count = reader.compact()
  for (let index = 0; index < count; index += 1) each()
  return count
}

/** Reads one transaction at the reader's place. */
const walk = (bytes: Buffer, reader: Reader): Walked => {
  const start = reader.at()
  reader.skip(4)
  const witness = bytes[reader.at()] === 0
  if (witness) {
    if (bytes[reader.at() + 1] !== 1) throw new Misshapen(`a transaction of an unknown kind (flag ${String(bytes[reader.at() + 1])})`)
    reader.skip(2)
  }
  const body = reader.at()
  const inputs = skipVector(reader, () => { reader.skip(36); reader.skip(reader.compact()); reader.skip(4) })
  skipVector(reader, () => { reader.skip(8); reader.skip(reader.compact()) })
  const end = reader.at()
  if (witness) for (let index = 0; index < inputs; index += 1) skipVector(reader, () => { reader.skip(reader.compact()) })
  const locktime = reader.at()
  reader.skip(4)
  const whole = bytes.subarray(start, reader.at())
  const wtxid = sha256d(whole)
  if (!witness) return { txid: wtxid, wtxid, inputs, witness }
  return { txid: sha256d(Buffer.concat([bytes.subarray(start, start + 4), bytes.subarray(body, end), bytes.subarray(locktime, locktime + 4)])), wtxid, inputs, witness }
}

const commitmentMark = Buffer.from('6a24aa21a9ed', 'hex')

/** What a coinbase commits the witnesses of its block to: the last output with the mark, and the reserved value of its own witness. */
const commitment = (coinbase: Buffer): { readonly committed: Buffer | null; readonly reserved: Buffer | null } => {
  const reader = openReader(coinbase, 4)
  const witness = coinbase[4] === 0
  if (witness) reader.skip(2)
  skipVector(reader, () => { reader.skip(36); reader.skip(reader.compact()); reader.skip(4) })
  let committed: Buffer | null = null
  skipVector(reader, () => {
    reader.skip(8)
    const length = reader.compact(), at = reader.at()
    reader.skip(length)
    if (length >= 38 && coinbase.subarray(at, at + 6).equals(commitmentMark)) committed = coinbase.subarray(at + 6, at + 38)
  })
  if (!witness) return { committed, reserved: null }
  const items = reader.compact(), length = items === 1 ? reader.compact() : 0
  return { committed, reserved: length === 32 ? coinbase.subarray(reader.at(), reader.at() + 32) : null }
}

/** Unix time of the block from which on a commitment binds (481824): one in an older coinbase may be there by chance. */
const binding = 1_503_539_857

/** Whether witnesses are those the coinbase commits to (BIP 141); a block from before has neither. */
const witnessProblem = (coinbase: Buffer, transactions: readonly Walked[], time: number): string => {
  const { committed, reserved } = commitment(coinbase)
  const some = transactions.some(({ witness }) => witness)
  if (committed === null) return some ? 'witnesses nobody committed to' : ''
  if (!some && time < binding) return ''
  if (reserved === null) return 'witnesses are left out'
  const root = merkleRoot(transactions.map(({ wtxid }, index) => (index === 0 ? Buffer.alloc(32) : wtxid)))
  return root !== null && sha256d(Buffer.concat([root, reserved])).equals(committed) ? '' : 'other witnesses than the coinbase commits to'
}

/** Whether the spent outputs (a list of outputs for each transaction, none for the coinbase) fit the inputs. */
const spentProblem = (spent: Buffer, transactions: readonly Walked[]): string => {
  const reader = openReader(spent)
  const lists = reader.compact()
  if (lists !== transactions.length) return `spent outputs: of ${lists} transactions, the block has ${transactions.length}`
  for (const [index, { inputs }] of transactions.entries()) {
    const given = skipVector(reader, () => { reader.skip(8); reader.skip(reader.compact()) })
    if (given !== (index === 0 ? 0 : inputs)) return `spent outputs: ${given} for the ${inputs} inputs of transaction ${index}`
  }
  return reader.done() ? '' : 'spent outputs: more bytes than they should have'
}

const misshapen = (what: string, check: () => string): string => {
  try { return check() } catch (thrown) { if (thrown instanceof Misshapen) return `${what}: ${thrown.message}`; throw thrown }
}

/** Checks a raw block and, where `spent` is not empty, the outputs its inputs spend. */
export const checkBlock = (block: Buffer, spent: Buffer, demand: Demand): Checked => {
  if (block.length < headerBytes) return { problem: `block: truncated: ${block.length} bytes, a header has ${headerBytes}`, parent: '' }
  const header = readHeader(block)
  const problem = headerProblem(header, demand)
  if (problem !== '') return { problem: `block: ${problem}`, parent: '' }
  return {
    parent: header.parent,
    problem: misshapen('block', () => {
      const reader = openReader(block, headerBytes)
      const count = reader.compact()
      const transactions: Walked[] = []
      let coinbaseEnd = 0
      for (let index = 0; index < count; index += 1) { transactions.push(walk(block, reader)); if (index === 0) coinbaseEnd = reader.at() }
      if (!reader.done()) return 'block: more bytes than its transactions have'
      if (!(merkleRoot(transactions.map(({ txid }) => txid))?.equals(header.merkleRoot) ?? false)) return 'block: its transactions are not those the header commits to'
      const first = block.subarray(headerBytes, coinbaseEnd)
      const witness = witnessProblem(first.subarray(count < 0xfd ? 1 : count < 0x10000 ? 3 : 5), transactions, header.time)
      if (witness !== '') return `block: ${witness}`
      return spent.length === 0 ? '' : misshapen('spent outputs', () => spentProblem(spent, transactions))
    }),
  }
}
