/** The data of decode_raw.sql: a batch's bytes out of the store, through the decoder, as rows. */
import type { Network } from '../../../schemas/bitcoinNetworks.js'
import { AppError, messageOf } from '../../../schemas/errors.js'
import { batchKey, type BatchRef } from '../../../schemas/primitives.js'
import type { Piece } from '../../../schemas/outgoing.js'
import { takeSlot, type Slot } from '../../../schemas/slots.js'
import { loadSql } from '../../../schemas/sql.js'
import { statementParams, type Context, type Counting } from '../../stage.js'
import { decodeApart } from './decoder.js'
import { handingOf, releaseHanded, type Handed } from './handed.js'

const rawSql = loadSql(import.meta.url, 'raw.sql'), presentSql = loadSql(import.meta.url, 'present.sql')
/** Blocks on their way through the decoder at once: so that it need not wait for the next. */
const ahead = 2

/** Takes exactly as many bytes as are asked for out of a stream of pieces. */
const openPieces = (source: AsyncIterable<Buffer>) => {
  const pieces = source[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  const more = async (): Promise<boolean> => {
    const next = await pieces.next()
    if (next.done !== true) held = held.length === 0 ? next.value : Buffer.concat([held, next.value])
    return next.done !== true
  }
  const fill = async (taken: Buffer): Promise<Buffer> => {
    const count = taken.length
    for (let filled = 0; filled < count;) {
      if (held.length === 0 && !(await more())) throw new Error('the store sent less than it announced')
      const part = held.subarray(0, count - filled)
      taken.set(part, filled)
      filled += part.length
      held = held.subarray(part.length)
    }
    return taken
  }
  const take = (count: number): Promise<Buffer> => fill(Buffer.alloc(count))
  const string = async (): Promise<Slot> => {
    let length = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = (await take(1))[0] as number
      length += (byte & 0x7f) * scale
      if (byte >= 0x80) continue
      const slot = takeSlot(length)
      await fill(slot.bytes)
      return slot
    }
  }
  return { take, string, ended: async () => held.length === 0 && !(await more()), close: async () => { await pieces.return?.() } }
}

/** The blocks of a batch out of the store. */
async function* stored(batch: BatchRef, context: Context): AsyncGenerator<Handed> {
  const pieces = openPieces(context.store.read(rawSql, statementParams(batch, context.chain.chain)))
  try {
    while (!(await pieces.ended())) {
      const number = Number((await pieces.take(8)).readBigUInt64LE()), hash = (await pieces.take(32)).toString('hex')
      yield { number, hash, bytes: { block: await pieces.string(), spent: await pieces.string(), txids: await pieces.string() } }
    }
  } finally { await pieces.close() }
}

/** What this process landed a moment ago, where that is what the store has of the batch; none otherwise, and where a run before this one may have failed with it. */
const handed = async (batch: BatchRef, context: Context, counts: Counting): Promise<readonly Handed[]> => {
  const { attempt, blocks } = handingOf(context.store).take(batchKey(batch))
  if (blocks.length === 0) return blocks
  try {
    if (!context.again && (await counts(presentSql))['attempt'] === attempt) return blocks
  } catch (thrown) { releaseHanded(blocks); throw thrown }
  releaseHanded(blocks)
  return []
}

/** The row of a block that was handed on. Whatever is wrong with it may be the hand's: the next run reads the store. */
const rowOf = (one: Handed, network: Network): Promise<Slot> => ('row' in one ? one.row : decodeApart(one.number, one.hash, one.bytes, network, true))
  .catch((thrown: unknown) => { throw new AppError('HANDED_LOST', `Block ${one.number} cannot be used as it was handed on: ${messageOf(thrown)}`, { retry: 'attempt', cause: thrown }) })

/** Rows of btc_decoded, in the order of blocks; first an empty piece where there are any, so that they are waited for before they are read. */
export async function* rawBlocks(batch: BatchRef, context: Context, counts: Counting): AsyncGenerator<Piece> {
  const network = context.chain.parameters as unknown as Network
  const mine = [...await handed(batch, context, counts)], isMine = mine.length > 0
  const under: Promise<Slot>[] = []
  // What is taken out of `mine` is released by the decoder, or with its row.
  const taken = function* (): Generator<Handed> { for (let one = mine.shift(); one !== undefined; one = mine.shift()) yield one }
  try {
    for await (const one of isMine ? taken() : stored(batch, context)) {
      const decoded = isMine || 'row' in one ? rowOf(one, network) : decodeApart(one.number, one.hash, one.bytes, network)
      decoded.catch(() => undefined)
      under.push(decoded)
      if (under.length === 1) yield Buffer.alloc(0)
      if (under.length > ahead) yield await (under.shift() as Promise<Slot>)
    }
    for (let decoded = under.shift(); decoded !== undefined; decoded = under.shift()) yield await decoded
  } finally {
    releaseHanded(mine)
    for (const decoded of under) decoded.then((slot) => { slot.release() }, () => undefined)
  }
}
