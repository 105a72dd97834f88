/** Decoding in a thread of its own: one for a process, started with the first block, started again if it dies. */
import type { Worker } from 'node:worker_threads'
import { AppError } from '../../../schemas/errors.js'
import { inShared, slotOf, takeSlot, type Slot } from '../../../schemas/slots.js'
import { startThread } from '../../../schemas/thread.js'
import type { Network } from './networks.js'

/** Of one block: its bytes, and what may be empty: the outputs it spends, the hashes of its transactions. */
export interface BlockBytes<Bytes> { readonly block: Bytes; readonly spent: Bytes; readonly txids: Bytes }
/** `room`: where the row is written if it fits. */
export interface Question extends BlockBytes<Uint8Array> { readonly id: number; readonly number: number; readonly hash: string; readonly hrp: string; readonly mweb: boolean; readonly room: SharedArrayBuffer }
export type Answer = { readonly id: number; readonly memory: SharedArrayBuffer; readonly size: number } | { readonly id: number; readonly refused: string }

interface Waiting { readonly number: number; /** What the thread has read by now. */ readonly read: readonly Slot[]; resolve(row: Slot): void; reject(error: Error): void }

/** Bytes of a row for each of a block's, mostly fewer: sides of a transaction bring its hash each. */
const grows = 3

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
    if ('memory' in answer) asker.resolve(slotOf(answer.memory, answer.size))
    else asker.reject(new AppError('BAD_BLOCK', `Block ${asker.number} cannot be read: ${answer.refused}`, { retry: 'never' }))
  })
  started.once('error', (error) => { lose(started, error.message) })
  started.once('exit', (code) => { lose(started, `code ${code}`) })
  thread = started
  return started
}

/** A row of btc_answers (RowBinary) of the block whose hash people write `hash`; throws BAD_BLOCK when the bytes are not that block whole. The bytes are released. */
export const decodeApart = (number: number, hash: string, { block, spent, txids }: BlockBytes<Slot>, { hrp, mweb }: Network): Promise<Slot> => new Promise((resolve, reject) => {
  const worker = running(), id = asked += 1
  worker.ref()
  const read = [block, spent, txids].map(inShared), [blockBytes, spentBytes, txidBytes] = read.map(({ bytes }) => bytes) as [Buffer, Buffer, Buffer]
  const room = takeSlot(grows * (blockBytes.length + spentBytes.length)).bytes.buffer as SharedArrayBuffer
  waiting.set(id, { number, read, resolve, reject })
  worker.postMessage({ id, number, hash, block: blockBytes, spent: spentBytes, txids: txidBytes, hrp, mweb, room } satisfies Question)
})
