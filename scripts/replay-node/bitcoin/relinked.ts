/**
 * Consecutive blocks made of recorded ones: every transaction gets a hash of its own, what is spent within a block is found again, and
 * headers are linked anew. Such blocks hold everything their hashes commit to, but no proof of work.
 */
import { createHash } from 'node:crypto'
import { recordedBitcoin, type BitcoinChain } from './chain.js'
import { coin, merkleRoot, sha256d, shown, spentOf, stripped, transactionsOf, type Input, type Transaction } from './wire.js'

/** Heights of blocks with thousands of transactions. */
export const fullBlocks: readonly number[] = [514_485, 574_200]

/** `from` (a height of 3 bytes) and `count` in blocks; `shapes` are recorded heights; `time` is the first block's, in Unix seconds. */
export interface Relink { readonly from: number; readonly count: number; readonly shapes?: readonly number[]; readonly time?: number }

interface Shape { readonly block: Buffer; readonly transactions: readonly Transaction[]; readonly hashes: readonly string[] }

const hash160 = (bytes: Buffer): Buffer => createHash('ripemd160').update(createHash('sha256').update(bytes).digest()).digest()
const script = { keyHash: (hash: Buffer) => Buffer.concat([Buffer.from('76a914', 'hex'), hash, Buffer.from('88ac', 'hex')]), scriptHash: (hash: Buffer) => Buffer.concat([Buffer.from('a914', 'hex'), hash, Buffer.from([0x87])]), witness: (hash: Buffer) => Buffer.concat([Buffer.from('0014', 'hex'), hash]) }

/** The last thing a script pushes: a public key, or a script. */
const lastPush = (bytes: Buffer): Buffer => {
  let last: Buffer = Buffer.alloc(0)
  for (let at = 0; at < bytes.length;) {
    const opcode = bytes[at] ?? 0
    const [skip, length] = opcode < 0x4c ? [1, opcode] : opcode === 0x4c ? [2, bytes[at + 1] ?? 0] : opcode === 0x4d ? [3, bytes.readUInt16LE(at + 1)] : [1, 0]
    last = bytes.subarray(at + skip, at + skip + length)
    at += skip + length
  }
  return last
}

/** A script that an input, by what it shows, may well spend: what was really spent is not recorded. */
const spentScript = ({ script: shows, witness }: Input): Buffer => {
  const push = lastPush(shows), key = witness.at(-1)
  if (shows.length > 0) return push.length === 33 || push.length === 65 ? script.keyHash(hash160(push)) : script.scriptHash(hash160(push))
  return witness.length === 2 && key?.length === 33 ? script.witness(hash160(key)) : Buffer.concat([Buffer.from('0020', 'hex'), createHash('sha256').update(key ?? Buffer.alloc(0)).digest()])
}

/** Outputs spent by a transaction: those of its own block as they are, others such that inputs pay outputs and a fee of 5 satoshis a byte. */
const coinsOf = ({ start, end, inputs, outputs }: Transaction, inner: (input: Input) => { value: bigint; script: Buffer } | undefined): Buffer[] => {
  const known = inputs.map(inner)
  const due = outputs.reduce((sum, { value }) => sum + value, BigInt(5 * (end - start))) - known.reduce((sum, one) => sum + (one?.value ?? 0n), 0n)
  const strangers = BigInt(Math.max(1, known.filter((one) => one === undefined).length))
  const share = due > strangers * 600n ? due / strangers + 1n : 600n
  return inputs.map((input, index) => coin(known[index]?.value ?? share, known[index]?.script ?? spentScript(input)))
}

const shapeOf = (chain: BitcoinChain, height: number): Shape => {
  const block = chain.block(height)
  const transactions = transactionsOf(block)
  return { block, transactions, hashes: transactions.map((transaction) => sha256d(stripped(block, transaction)).toString('hex')) }
}

const commitmentMark = Buffer.from('6a24aa21a9ed', 'hex')

/** A copy of `shape` that stands on `parent`; `nonce` sets it apart from every other copy. */
const copyOf = ({ block: mould, transactions, hashes }: Shape, height: number, nonce: number, parent: Buffer, time: number): { block: Buffer; spent: Buffer } => {
  const block = Buffer.from(mould)
  const places = new Map(hashes.map((hash, index) => [hash, index]))
  const renamed: Buffer[] = []
  const lists = transactions.map((transaction, index): Buffer[] => {
    if (index === 0) { renamed.push(Buffer.alloc(32)); return [] }
    const inner = (input: Input): number | undefined => places.get(mould.toString('hex', input.at, input.at + 32))
    const spent = coinsOf(transaction, (input) => { const place = inner(input); return place === undefined ? undefined : transactions[place]?.outputs[input.index] })
    for (const input of transaction.inputs) {
      const own = renamed[inner(input) ?? -1]
      if (own === undefined) block.writeUInt32LE((block.readUInt32LE(input.at) ^ nonce) >>> 0, input.at)
      else own.copy(block, input.at)
    }
    block.writeUInt32LE(nonce, transaction.end - 4)
    renamed.push(sha256d(stripped(block, transaction)))
    return spent
  })
  const [coinbase] = transactions
  if (coinbase === undefined) throw new Error('a block without transactions')
  // Its script begins with its height; the time it may be spent sets it apart.
  block.writeUIntLE(height, coinbase.inputs[0] === undefined ? 0 : coinbase.inputs[0].at + 36 + 2, 3)
  block.writeUInt32LE(nonce, coinbase.end - 4)
  const promise = coinbase.outputs.findLast((output) => output.script.subarray(0, 6).equals(commitmentMark))
  if (promise !== undefined && coinbase.marked) {
    const root = merkleRoot(transactions.map((transaction, index) => (index === 0 ? Buffer.alloc(32) : transaction.marked ? sha256d(block.subarray(transaction.start, transaction.end)) : renamed[index] as Buffer)))
    sha256d(Buffer.concat([root, coinbase.inputs[0]?.witness[0] ?? Buffer.alloc(32)])).copy(block, promise.end - promise.script.length + 6)
  }
  renamed[0] = sha256d(stripped(block, coinbase))
  parent.copy(block, 4)
  merkleRoot(renamed).copy(block, 36)
  block.writeUInt32LE(time, 68)
  return { block, spent: spentOf(lists) }
}

/** Builds the chain block by block: each holds the hash of the one below. */
export const relinkedChain = ({ from, count, shapes = fullBlocks, time = 1_700_000_000 }: Relink): BitcoinChain => {
  if (from < 0x10000 || from + count > 0x7fffff) throw new Error(`relink: heights of 3 bytes are needed (65536 to 8388607), not ${from} to ${from + count}`)
  const recorded = recordedBitcoin()
  const moulds = shapes.map((height) => shapeOf(recorded, height))
  let blocks: { block: Buffer; spent: Buffer; hash: Buffer }[] = []
  let heights = new Map<string, number>()
  let branch = 0
  const grow = (start: number): void => {
    blocks = blocks.slice(0, start)
    for (let index = start; index < count; index += 1) {
      const mould = moulds[(index + branch) % moulds.length]
      if (mould === undefined) throw new Error('relink: no shapes')
      const made = copyOf(mould, from + index, (branch << 24) + index + 1, blocks[index - 1]?.hash ?? Buffer.alloc(32), time + 600 * index)
      blocks.push({ ...made, hash: sha256d(made.block.subarray(0, 80)) })
    }
    heights = new Map(blocks.map(({ hash }, index) => [shown(hash), from + index]))
  }
  grow(0)
  const hashOf = (height: number): string | undefined => { const one = blocks[height - from]; return one === undefined ? undefined : shown(one.hash) }
  return {
    first: from, last: from + count - 1, hashOf,
    at: (height) => (height < from ? undefined : Math.min(height, from + count - 1)),
    heightOf: (hash) => heights.get(hash),
    block: (height) => blocks[height - from]?.block ?? Buffer.alloc(0),
    spent: (height) => blocks[height - from]?.spent,
    json: () => undefined,
    fork: (height) => { branch += 1; grow(Math.max(0, height - from)); return true },
  }
}
