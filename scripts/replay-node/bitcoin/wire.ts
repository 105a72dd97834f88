/** A raw block taken apart as far as a node needs it: where its transactions lie, what they spend and pay. */
import { createHash } from 'node:crypto'
import { compact, Cursor } from '../../../stages/normalize/bitcoin/cursor.js'

export interface Output { /** Offset of its 8 bytes of value; the script with its length follows. */ readonly at: number; readonly end: number; readonly value: bigint; readonly script: Buffer }
export interface Input { /** Offset of its outpoint: 32 bytes of transaction hash, 4 of index. */ readonly at: number; readonly index: number; readonly script: Buffer; readonly witness: readonly Buffer[] }
export interface Transaction { readonly start: number; readonly end: number; readonly marked: boolean; readonly inputsAt: number; readonly outputsEnd: number; readonly inputs: readonly Input[]; readonly outputs: readonly Output[] }

export const sha256d = (bytes: Buffer): Buffer => createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest()
/** A hash in the order people write it. */
export const shown = (hash: Buffer): string => Buffer.from(hash).reverse().toString('hex')

const times = <Item>(count: number, make: () => Item): Item[] => Array.from({ length: count }, make)

/** How many transactions a block says it has: a node knows it without looking through them. */
export const countOf = (block: Buffer): number => {
  const cursor = new Cursor(block)
  cursor.take(80)
  return cursor.compact()
}

/** The transactions of a block, in order. */
export const transactionsOf = (block: Buffer): Transaction[] => {
  const cursor = new Cursor(block)
  const piece = (): Buffer => { const length = cursor.compact(), at = cursor.take(length); return block.subarray(at, at + length) }
  cursor.take(80)
  return times(cursor.compact(), () => {
    const start = cursor.take(4)
    const marked = block[cursor.at] === 0
    if (marked) cursor.take(2)
    const inputsAt = cursor.at
    const bare = times(cursor.compact(), () => { const at = cursor.take(36), script = piece(); cursor.take(4); return { at, index: block.readUInt32LE(at + 32), script } })
    const outputs = times(cursor.compact(), () => { const at = cursor.take(8), script = piece(); return { at, end: cursor.at, value: block.readBigUInt64LE(at), script } })
    const outputsEnd = cursor.at
    const inputs = bare.map((input) => ({ ...input, witness: marked ? times(cursor.compact(), piece) : [] }))
    cursor.take(4)
    return { start, end: cursor.at, marked, inputsAt, outputsEnd, inputs, outputs }
  })
}

/** The transaction without its witnesses: what its hash is of. */
export const stripped = (block: Buffer, { start, end, marked, inputsAt, outputsEnd }: Transaction): Buffer =>
  (marked ? Buffer.concat([block.subarray(start, start + 4), block.subarray(inputsAt, outputsEnd), block.subarray(end - 4, end)]) : block.subarray(start, end))

export const merkleRoot = (leaves: readonly Buffer[]): Buffer => {
  let level = leaves
  while (level.length > 1) level = Array.from({ length: Math.ceil(level.length / 2) }, (_, at) => sha256d(Buffer.concat([level[2 * at] as Buffer, level[2 * at + 1] ?? level[2 * at] as Buffer])))
  return level[0] ?? Buffer.alloc(32)
}

/** A spent output as REST writes it. */
export const coin = (value: bigint, script: Buffer): Buffer => {
  const amount = Buffer.alloc(8)
  amount.writeBigUInt64LE(value)
  return Buffer.concat([amount, compact(script.length), script])
}

/** Spent outputs as REST writes them: a list for each transaction, an empty one for the coinbase. */
export const spentOf = (lists: readonly (readonly Buffer[])[]): Buffer => Buffer.concat([compact(lists.length), ...lists.flatMap((list) => [compact(list.length), ...list])])
