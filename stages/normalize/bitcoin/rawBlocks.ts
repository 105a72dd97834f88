/** The data of decode_raw.sql: a batch's bytes out of the store, through the decoder, as rows. */
import type { Network } from '../../../schemas/bitcoinNetworks.js'
import { spend, takeSlot, type Slot } from '../../../schemas/slots.js'
import { loadSql } from '../../../schemas/sql.js'
import type { BatchRef } from '../../../schemas/primitives.js'
import { statementParams, type Context } from '../../stage.js'
import { decodeApart } from './decoder.js'

const rawSql = loadSql(import.meta.url, 'raw.sql')
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

/** Rows of btc_answers, in the order of blocks; first an empty piece where there are any, so that they are waited for before they are read. */
export async function* rawBlocks(batch: BatchRef, context: Context): AsyncGenerator<Buffer> {
  const network = context.chain.parameters as unknown as Network
  const pieces = openPieces(context.store.read(rawSql, statementParams(batch, context.chain.chain)))
  const under: Promise<Slot>[] = []
  try {
    if (!(await pieces.ended())) yield Buffer.alloc(0)
    while (!(await pieces.ended())) {
      const number = Number((await pieces.take(8)).readBigUInt64LE()), hash = (await pieces.take(32)).toString('hex')
      const decoded = decodeApart(number, hash, { block: await pieces.string(), spent: await pieces.string(), txids: await pieces.string() }, network)
      decoded.catch(() => undefined)
      under.push(decoded)
      if (under.length > ahead) yield* spend(await (under.shift() as Promise<Slot>))
    }
    for (const decoded of under) yield* spend(await decoded)
  } finally { await pieces.close() }
}
