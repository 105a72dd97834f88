/** Lets so many in at once; the others wait in order, or leave when their signal ends. */
import { setMaxListeners } from 'node:events'

export interface Gate {
  /** Runs `work` when there is room; rejects when `signal` ends before that. */
  pass<Value>(work: () => Promise<Value>, signal?: AbortSignal): Promise<Value>
}

export const openGate = (most: number): Gate => {
  let free = most
  const waiting = new Set<() => void>()
  const enter = (signal: AbortSignal | undefined): Promise<void> | undefined => {
    if (signal?.aborted === true) return Promise.reject(new Error('aborted before its turn'))
    if (free > 0) { free -= 1; return undefined }
    return new Promise((resolve, reject) => {
      const leave = (): void => { waiting.delete(come); reject(new Error('aborted before its turn')) }
      const come = (): void => { signal?.removeEventListener('abort', leave); resolve() }
      // A report asks more than ten statements side by side, and all of them wait under its signal.
      if (signal !== undefined) setMaxListeners(0, signal)
      signal?.addEventListener('abort', leave, { once: true })
      waiting.add(come)
    })
  }
  const exit = (): void => {
    for (const next of waiting) { waiting.delete(next); next(); return }
    free += 1
  }
  return {
    pass: async (work, signal) => {
      await enter(signal)
      try { return await work() } finally { exit() }
    },
  }
}
