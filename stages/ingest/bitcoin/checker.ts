/** Checks blocks beside the event loop: hashing one with thousands of transactions takes tens of milliseconds. */
import type { Worker } from 'node:worker_threads'
import { AppError } from '../../../schemas/errors.js'
import { startThread } from '../../../schemas/thread.js'
import { inShared, type Slot } from '../../../schemas/slots.js'
import type { Found, Task } from './checkThread.js'

export type ToCheck = Pick<Task, 'shape' | 'demand'> & { readonly block: Slot; readonly spent: Slot }
/** What was found, beside the bytes that were given (of `hex`, what they stand for). */
export type Result = Pick<Found, 'problem' | 'parent' | 'txids'> & { readonly block: Slot; readonly spent: Slot }
export interface Checker { check(task: ToCheck): Promise<Result>; close(): Promise<void> }

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
    check: async ({ shape, demand, ...given }) => {
      // What stands for hex is written over it.
      const block = shape === 'hex' ? inShared(given.block) : given.block, { spent } = given
      const { problem, parent, size, txids } = await new Promise<Found>((resolve, reject) => {
        thread ??= start()
        const task: Task = { id: last += 1, shape, demand, block: block.bytes, spent: spent.bytes }
        waiting.set(task.id, { resolve, reject })
        thread.postMessage(task)
      })
      return { problem, parent, txids, spent, block: { ...block, bytes: block.bytes.subarray(0, size) } }
    },
    close: async () => { const ending = thread; thread = undefined; await ending?.terminate() },
  }
}
