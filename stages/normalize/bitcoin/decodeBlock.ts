/** A raw block into one row of btc_decoded (RowBinary): its bytes are walked through once to learn where things are, once to write them. */
import { hash as digest } from 'node:crypto'
import type { Network } from '../../../schemas/bitcoinNetworks.js'
import { openBech32, type Bech32 } from './bech32.js'
import { Cursor, Misshapen, Sink } from './cursor.js'
import { scriptKind, scriptKindAt } from './script.js'

/** A first hash, on its way into the second. Digests come as strings of a character per byte: node makes those in half the time of a Buffer. */
const once = Buffer.allocUnsafe(32)
/** SHA-256 twice, as headers, transactions and pairs of the merkle tree are hashed, written to `into` (which it returns) at `at`. */
export const sha256d = (bytes: Buffer, into: Buffer = Buffer.allocUnsafe(32), at = 0): Buffer => {
  once.write(digest('sha256', bytes, 'binary'), 0, 32, 'latin1')
  into.write(digest('sha256', once, 'binary'), at, 32, 'latin1')
  return into
}
/** A hash in the order people write it. */
export const shown = (hash: Buffer): string => Buffer.from(hash).reverse().toString('hex')
/** A count as a block holds it: bytes it takes. */
const compactSize = (count: number): number => (count < 0xfd ? 1 : count < 0x10000 ? 3 : 5)

/** Sides of a transaction, as in btc_decoded. */
const side = { output: 1, spent: 2, unknown: 3, coinbase: 4 } as const

/** Where the parts of a transaction begin (offsets into the block) and what they add up to; `inputs` is where their count stands. */
export interface Parts { start: number; inputs: number; outputs: number; witness: number; locktime: number; end: number; inputCount: number; outputCount: number; outputValue: number; stripped: number; extended: boolean }

/** Room for the parts of a transaction. */
export const noParts = (): Parts => ({ start: 0, inputs: 0, outputs: 0, witness: 0, locktime: 0, end: 0, inputCount: 0, outputCount: 0, outputValue: 0, stripped: 0, extended: false })

/** Steps over the transaction at the cursor's place and notes its parts. `mweb`: whether it may be the one that leads to an extension block. */
export const walk = (cursor: Cursor, parts: Parts, mweb: boolean): void => {
  const { bytes } = cursor
  parts.start = cursor.take(4)
  // No transaction of a block is without inputs: a zero in their place marks the form with witnesses.
  const marked = bytes[cursor.at] === 0
  const flag = marked ? bytes[cursor.at + 1] ?? 0 : 0
  if (marked) {
    if (flag !== 1 && !(mweb && (flag === 8 || flag === 9))) throw new Misshapen(`a transaction of an unknown kind (flag ${flag}) at ${parts.start}`)
    cursor.take(2)
  }
  parts.inputs = cursor.at
  parts.inputCount = cursor.compact()
  for (let index = 0; index < parts.inputCount; index += 1) { cursor.take(36); cursor.take(cursor.compact()); cursor.take(4) }
  parts.outputs = cursor.at
  parts.outputCount = cursor.compact()
  parts.outputValue = 0
  for (let index = 0; index < parts.outputCount; index += 1) { const at = cursor.take(8); parts.outputValue += amountAt(bytes, at); cursor.take(cursor.compact()) }
  parts.witness = cursor.at
  if ((flag & 1) === 1) for (let index = 0; index < parts.inputCount; index += 1) for (let items = cursor.compact(); items > 0; items -= 1) cursor.take(cursor.compact())
  parts.extended = (flag & 8) === 8
  if (parts.extended && bytes[cursor.take(1)] !== 0) throw new Misshapen(`a transaction with a part of an extension block at ${parts.start}`)
  parts.locktime = cursor.take(4)
  parts.end = cursor.at
  parts.stripped = 8 + parts.witness - parts.inputs
}

/** Satoshis at a place; there are fewer of them than 2^51, so each is exact as a number. */
const amountAt = (bytes: Buffer, at: number): number => {
  const high = bytes.readUInt32LE(at + 4)
  if (high >= 0x80000) throw new Misshapen(`an amount beyond all coins at ${at}`)
  return high * 0x100000000 + bytes.readUInt32LE(at)
}

let bare = Buffer.allocUnsafe(1 << 16)
/** Writes the hash a transaction is known by, of what it is without its witnesses, to `into` at `at`. */
export const writeTxid = (bytes: Buffer, parts: Parts, into: Buffer, at: number): void => {
  if (parts.end - parts.start === parts.stripped) { sha256d(bytes.subarray(parts.start, parts.end), into, at); return }
  if (bare.length < parts.stripped) bare = Buffer.allocUnsafe(parts.stripped * 2)
  bytes.copy(bare, 0, parts.start, parts.start + 4)
  bytes.copy(bare, 4, parts.inputs, parts.witness)
  bytes.copy(bare, parts.stripped - 4, parts.locktime, parts.end)
  sha256d(bare.subarray(0, parts.stripped), into, at)
}

/** Root over hashes side by side in `tree` (room for one more), which is used up. Null where an end repeats itself: such a body may have been doubled. */
export const merkleRoot = (tree: Buffer, leaves: number): Buffer | null => {
  for (let count = leaves; count > 1; count = (count + 1) >>> 1) {
    if (count % 2 === 1) tree.copyWithin(count * 32, (count - 1) * 32, count * 32)
    else if (tree.compare(tree, (count - 1) * 32, count * 32, (count - 2) * 32, (count - 1) * 32) === 0) return null
    for (let at = 0; at < count; at += 2) sha256d(tree.subarray(at * 32, at * 32 + 64), tree, at * 16)
  }
  return tree.subarray(0, 32)
}

/** How a network writes addresses: what those of scripts and keys begin with, and its writer of witness programs. */
export interface Writing extends Pick<Network, 'p2pkh' | 'p2sh' | 'mweb'> { readonly bech32: Bech32 }
/** The way `network` writes them; its writer is used again and again, so it serves one caller at a time. */
export const writingOf = ({ p2pkh, p2sh, mweb, hrp }: Omit<Network, 'name' | 'halving'>): Writing => ({ p2pkh, p2sh, mweb, bech32: openBech32(hrp) })

/** A script, its kind, and its address where it holds a witness program; of a key's or a script's hash what its address is made of: version and hash. */
const writeScript = (sink: Sink, bytes: Buffer, at: number, count: number, { p2pkh, p2sh, bech32 }: Writing): void => {
  sink.string(bytes, at, count)
  const kind = scriptKindAt(bytes, at, count)
  sink.uint8(kind)
  if (kind === scriptKind.pubkeyhash || kind === scriptKind.scripthash) {
    sink.uint8(21)
    sink.uint8(kind === scriptKind.pubkeyhash ? p2pkh : p2sh)
    sink.copy(bytes, at + (kind === scriptKind.pubkeyhash ? 3 : 2), 20)
  } else if (kind >= scriptKind.witness_v0_keyhash) {
    const first = bytes[at] as number
    bech32.write(first === 0 ? 0 : first - 0x50, bytes, at + 2, count - 2)
    sink.string(bech32.text, 0, bech32.length)
  } else sink.uint8(0)
}

/** Used again for every block: fresh memory of this size is dearer than what is written into it. */
const transactions = new Sink(Buffer.allocUnsafeSlow(1 << 18)), values = new Sink(Buffer.allocUnsafeSlow(1 << 15)), sides = new Sink(Buffer.allocUnsafeSlow(1 << 21))

/** What a row says beside the block; `hash` as people write it, `spent` the outputs its inputs spend (a list for each transaction), or empty; `txids` the hashes of its transactions side by side, or empty; `checked`: they are known to be what the header commits to. */
export interface RawBlock { readonly number: number; readonly hash: string; readonly block: Buffer; readonly spent: Buffer; readonly txids: Buffer; readonly checked?: boolean }

/** One row, in `room` if that is large enough; throws Misshapen when the bytes are not the whole block of that hash. `mweb` of the network: whether an extension block may follow. */
export const decodeBlock = ({ number, hash, block, spent, txids, checked = false }: RawBlock, writing: Writing, room: Buffer<ArrayBufferLike> = Buffer.alloc(0)): Buffer => {
  const cursor = new Cursor(block), coins = new Cursor(spent), { mweb } = writing
  cursor.take(80)
  const own = shown(sha256d(block.subarray(0, 80)))
  if (own !== hash) throw new Misshapen(`its header is that of ${own}`)
  const count = cursor.compact()
  if (count > block.length / 60) throw new Misshapen(`truncated: ${count} transactions in ${block.length} bytes`)
  const known = spent.length > 0
  if (known && coins.compact() !== count) throw new Misshapen('its spent outputs are those of another number of transactions')
  // Hashes that were worked out before are those of this block where the header commits to them.
  const hashed = txids.length > 0
  if (hashed && txids.length !== count * 32) throw new Misshapen('the hashes beside it are those of another number of transactions')
  const tree = Buffer.allocUnsafe((count + 1) * 32), parts = noParts()
  if (hashed) txids.copy(tree)
  transactions.at = values.at = sides.at = 0
  let stripped = 80 + compactSize(count), sideCount = 0, textAt = 0, textLength = 0
  for (let index = 0; index < count; index += 1) {
    walk(cursor, parts, mweb)
    const { end, start } = parts, txid = index * 32
    if (!hashed) writeTxid(block, parts, tree, txid)
    stripped += parts.stripped
    transactions.reversed(tree, txid)
    transactions.copy(block, start, 4)
    transactions.copy(block, parts.locktime, 4)
    transactions.uint32(end - start)
    transactions.uint32(3 * parts.stripped + end - start)
    transactions.uint32(parts.inputCount)
    transactions.uint32(parts.outputCount)
    transactions.uint64(parts.outputValue)
    sideCount += parts.inputCount + parts.outputCount
    if (known && coins.compact() !== (index === 0 ? 0 : parts.inputCount)) throw new Misshapen(`its spent outputs do not fit the inputs of transaction ${index}`)
    cursor.at = parts.inputs
    cursor.compact()
    let brought = 0
    for (let vin = 0; vin < parts.inputCount; vin += 1) {
      const outpoint = cursor.take(36), scriptLength = cursor.compact(), script = cursor.take(scriptLength), sequence = cursor.take(4)
      if (index === 0 && vin === 0) { textAt = script; textLength = scriptLength }
      sides.uint32(index)
      sides.uint32(vin)
      sides.uint8(index === 0 ? side.coinbase : known ? side.spent : side.unknown)
      sides.reversed(tree, txid)
      if (index > 0 && known) {
        const amount = amountAt(spent, coins.take(8))
        brought += amount
        sides.uint64(amount)
        const length = coins.compact()
        writeScript(sides, spent, coins.take(length), length, writing)
      } else sides.zeros(11)
      sides.reversed(block, outpoint)
      sides.copy(block, outpoint + 32, 4)
      sides.copy(block, sequence, 4)
    }
    if (brought > Number.MAX_SAFE_INTEGER) throw new Misshapen(`transaction ${index} spends more than all coins`)
    const told = index === 0 || known
    values.uint8(told ? 0 : 1)
    if (told) values.uint64(brought)
    cursor.compact()
    for (let vout = 0; vout < parts.outputCount; vout += 1) {
      const at = cursor.take(8)
      sides.uint32(index)
      sides.uint32(vout)
      sides.uint8(side.output)
      sides.reversed(tree, txid)
      sides.copy(block, at, 8)
      const length = cursor.compact()
      writeScript(sides, block, cursor.take(length), length, writing)
      sides.zeros(40)
    }
    cursor.at = end
  }
  if (cursor.at !== block.length && !(mweb && parts.extended)) throw new Misshapen(`${block.length - cursor.at} bytes more than its transactions have`)
  if (known && coins.at !== spent.length) throw new Misshapen('its spent outputs go on after the last input')
  if (!(hashed && checked) && merkleRoot(tree, count)?.equals(block.subarray(36, 68)) !== true) throw new Misshapen('its transactions are not those its header commits to')
  const size = 256 + textLength + transactions.at + values.at + sides.at, row = new Sink(room.length < size ? Buffer.allocUnsafeSlow(size) : room)
  row.uint64(number)
  row.copy(Buffer.from(hash, 'hex'), 0, 32)
  row.reversed(block, 4)
  row.copy(block, 0, 4)
  row.reversed(block, 36)
  row.copy(block, 68, 12)
  row.uint32(block.length)
  row.uint32(3 * stripped + block.length)
  row.string(block, textAt, textLength)
  row.length(count)
  row.copy(transactions.bytes, 0, transactions.at)
  row.length(count)
  row.copy(values.bytes, 0, values.at)
  row.length(sideCount)
  row.copy(sides.bytes, 0, sides.at)
  return row.bytes.subarray(0, row.at)
}
