/** Checks blocks beside the event loop: hashing one with thousands of transactions takes tens of milliseconds. */
import type { Worker } from 'node:worker_threads'
import { AppError } from '../../../schemas/errors.js'
import { startThread } from '../../../schemas/thread.js'
import type { Body } from '../endpoint.js'
import type { Found, Task } from './checkThread.js'

export type ToCheck = Pick<Task, 'shape' | 'demand'> & { readonly block: Body; readonly spent: Body }
export interface Checker { /** Resolves to what was found and the block's own bytes (for `hex`, decoded). */ check(task: ToCheck): Promise<Found>; close(): Promise<void> }

/** One piece of memory of its own, so that it can change hands. */
const gather = (body: Body): Uint8Array => {
  const bytes = new Uint8Array(body.size)
  let at = 0
  for (const chunk of body.chunks) { bytes.set(chunk, at); at += chunk.length }
  return bytes
}

export const openChecker = (): Checker => {
  let thread: Worker | undefined
  let last = 0
  const waiting = new Map<number, { resolve: (found: Found) => void; reject: (fault: unknown) => void }>()
  const lose = (of: Worker, reason: string): void => {
    if (thread !== of) return
    thread = undefined
    for (const { reject } of waiting.values()) reject(new AppError('CHECK_FAILED', `The thread that checks blocks ended: ${reason}`, { retry: 'attempt' }))
    waiting.clear()
  }
  const start = (): Worker => {
    const started = startThread(new URL('checkThread.ts', import.meta.url), null, { maxYoungGenerationSizeMb: 12 })
    started.on('message', (found: Found) => { const one = waiting.get(found.id); waiting.delete(found.id); one?.resolve(found) })
    started.on('error', (fault: Error) => { lose(started, fault.message) })
    started.on('exit', (code) => { lose(started, `exit code ${code}`) })
    return started
  }
  return {
    check: ({ shape, demand, block, spent }) => new Promise((resolve, reject) => {
      thread ??= start()
      const task: Task = { id: last += 1, shape, demand, block: gather(block), spent: gather(spent) }
      waiting.set(task.id, { resolve, reject })
      thread.postMessage(task, [task.block.buffer as ArrayBuffer, task.spent.buffer as ArrayBuffer])
    }),
    close: async () => { const ending = thread; thread = undefined; await ending?.terminate() },
  }
}
