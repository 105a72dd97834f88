/** Decoding in a thread of its own: one for a process, started with the first block, started again if it dies. */
import type { Worker } from 'node:worker_threads'
import type { Network } from '../../../schemas/bitcoinNetworks.js'
import { AppError } from '../../../schemas/errors.js'
import { slotOf, takeSlot, type Slot } from '../../../schemas/slots.js'
import { startThread } from '../../../schemas/thread.js'

/** Of one block: its bytes, and what may be empty: the outputs it spends, the hashes of its transactions. */
export interface BlockBytes<Bytes> { readonly block: Bytes; readonly spent: Bytes; readonly txids: Bytes }
/** `checked`: whether the hashes are known to be those its header commits to. `room`: where the row is written if it fits. */
export interface Question extends BlockBytes<Uint8Array> { readonly id: number; readonly number: number; readonly hash: string; readonly checked: boolean; readonly network: Pick<Network, 'p2pkh' | 'p2sh' | 'hrp' | 'mweb'>; readonly room: Uint8Array }
/** `memory`: null where the row is in the room it was given. */
export type Answer = { readonly id: number; readonly memory: SharedArrayBuffer | null; readonly size: number } | { readonly id: number; readonly refused: string }

interface Waiting { readonly number: number; /** What the thread has done with when it answers: what it read, and where it may have written. */ readonly read: readonly Slot[]; readonly room: Slot; resolve(row: Slot): void; reject(error: Error): void }

/** Bytes of a row for each of a block's, mostly fewer: sides of a transaction bring its hash each. */
export const grows = 3
const mostRoom = 16 << 20

const waiting = new Map<number, Waiting>()
let thread: Worker | undefined
let asked = 0

const lose = (from: Worker, reason: string): void => {
  if (thread !== from) return
  thread = undefined
  for (const { reject } of waiting.values()) reject(new AppError('DECODER_LOST', `The thread that decodes blocks ended: ${reason}`, { retry: 'attempt' }))
  waiting.clear()
}

const running = (): Worker => {
  if (thread !== undefined) return thread
  const started = startThread(new URL('./decodeThread.js', import.meta.url), {}, { maxYoungGenerationSizeMb: 12 })
  started.on('message', (answer: Answer) => {
    const asker = waiting.get(answer.id)
    waiting.delete(answer.id)
    if (waiting.size === 0) started.unref()
    if (asker === undefined) return
    for (const slot of asker.read) slot.release()
    const inRoom = 'memory' in answer && answer.memory === null
    if (!inRoom) asker.room.release()
    if ('memory' in answer) asker.resolve(answer.memory === null ? { ...asker.room, bytes: asker.room.bytes.subarray(0, answer.size) } : slotOf(answer.memory, answer.size))
    else asker.reject(new AppError('BAD_BLOCK', `Block ${asker.number} cannot be read: ${answer.refused}`, { retry: 'never' }))
  })
  started.once('error', (error) => { lose(started, error.message) })
  started.once('exit', (code) => { lose(started, `code ${code}`) })
  thread = started
  return started
}

/** A row of btc_decoded (RowBinary) of the block whose hash people write `hash`; throws BAD_BLOCK when the bytes are not that block whole. The bytes are released. `checked`: the hashes of its transactions were worked out of these very bytes and found to be what the header commits to. */
export const decodeApart = (number: number, hash: string, { block, spent, txids }: BlockBytes<Slot>, { p2pkh, p2sh, hrp, mweb }: Network, checked = false): Promise<Slot> => new Promise((resolve, reject) => {
  const worker = running(), id = asked += 1
  worker.ref()
  const room = takeSlot(Math.min(mostRoom, grows * (block.bytes.length + spent.bytes.length)))
  waiting.set(id, { number, read: [block, spent, txids], room, resolve, reject })
  worker.postMessage({ id, number, hash, checked, block: block.bytes, spent: spent.bytes, txids: txids.bytes, network: { p2pkh, p2sh, hrp, mweb }, room: room.bytes } satisfies Question)
})
