/** Decoding in a thread of its own: one for a process, started with the first block, started again if it dies. */
import type { Worker } from 'node:worker_threads'
import { AppError } from '../../../schemas/errors.js'
import { startThread } from '../../../schemas/thread.js'
import type { Network } from './networks.js'

/** Of one block: its bytes, and what may be empty: the outputs it spends, the hashes of its transactions. */
export interface BlockBytes { readonly block: Uint8Array; readonly spent: Uint8Array; readonly txids: Uint8Array }
export interface Question extends BlockBytes { readonly id: number; readonly number: number; readonly hash: string; readonly hrp: string; readonly mweb: boolean }
export type Answer = { readonly id: number; readonly row: Uint8Array } | { readonly id: number; readonly refused: string }

interface Waiting { readonly number: number; resolve(row: Uint8Array): void; reject(error: Error): void }

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
    if ('row' in answer) asker.resolve(answer.row)
    else asker.reject(new AppError('BAD_BLOCK', `Block ${asker.number} cannot be read: ${answer.refused}`, { retry: 'never' }))
  })
  started.once('error', (error) => { lose(started, error.message) })
  started.once('exit', (code) => { lose(started, `code ${code}`) })
  thread = started
  return started
}

/** A row of btc_answers (RowBinary) of the block whose hash people write `hash`; throws BAD_BLOCK when the bytes are not that block whole. The bytes are given away. */
export const decodeApart = (number: number, hash: string, { block, spent, txids }: BlockBytes, { hrp, mweb }: Network): Promise<Uint8Array> => new Promise((resolve, reject) => {
  const worker = running(), id = asked += 1
  worker.ref()
  waiting.set(id, { number, resolve, reject })
  worker.postMessage({ id, number, hash, block, spent, txids, hrp, mweb } satisfies Question, [...new Set([block, spent, txids].map(({ buffer }) => buffer as ArrayBuffer))])
})
