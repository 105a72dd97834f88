/** Documents of reports, drawn beside the event loop; those asked for lately are kept, since their bytes never change. */
import type { Worker } from 'node:worker_threads'
import { AppError } from '../../../../schemas/errors.js'
import { startThread } from '../../../../schemas/thread.js'
import type { Report } from '../report.js'

export interface Order { readonly id: number; readonly report: Report; readonly verified: boolean }
export type Drawn = { readonly id: number; readonly bytes: Uint8Array } | { readonly id: number; readonly failed: string }
interface Waiting { resolve(bytes: Uint8Array): void; reject(thrown: Error): void }

const most = 32
/** A thread that has nothing to draw ends after this long. */
const idleMs = 60_000
const lately = new Map<string, Promise<Uint8Array>>()
const waiting = new Map<number, Waiting>()
let thread: Worker | undefined
let idle: NodeJS.Timeout | undefined
let orders = 0

const failed = (why: string) => new AppError('PDF_FAILED', 'The document could not be drawn', { status: 500, retry: 'attempt', cause: new Error(why) })
const finish = (id: number, end: (one: Waiting) => void): void => {
  const one = waiting.get(id)
  waiting.delete(id)
  if (one !== undefined) end(one)
  if (waiting.size > 0) return
  thread?.unref()
  clearTimeout(idle)
  idle = setTimeout(() => { void thread?.terminate() }, idleMs)
  idle.unref()
}
const start = (): Worker => {
  const started = startThread(new URL('thread.ts', import.meta.url), {})
  const lose = (why: string): void => { if (thread === started) thread = undefined; for (const id of [...waiting.keys()]) finish(id, (one) => { one.reject(failed(why)) }) }
  started.on('message', (drawn: Drawn) => { finish(drawn.id, (one) => { if ('bytes' in drawn) one.resolve(drawn.bytes); else one.reject(failed(drawn.failed)) }) })
  started.on('error', (thrown) => { lose(thrown.message) })
  started.on('exit', () => { lose('the thread ended') })
  return started
}
const draw = (report: Report, verified: boolean): Promise<Uint8Array> => new Promise((resolve, reject) => {
  clearTimeout(idle)
  thread ??= start()
  thread.ref()
  const id = ++orders
  waiting.set(id, { resolve, reject })
  thread.postMessage({ id, report, verified } satisfies Order)
})

/** The document of a report; `verified`: whether what is kept is what was signed. */
export const drawReport = (report: Report, verified: boolean): Promise<Uint8Array> => {
  if (!verified) return draw(report, verified)
  const made = lately.get(report.content_hash) ?? draw(report, verified)
  lately.delete(report.content_hash)
  lately.set(report.content_hash, made)
  made.catch(() => { if (lately.get(report.content_hash) === made) lately.delete(report.content_hash) })
  for (const oldest of lately.keys()) { if (lately.size <= most) break; lately.delete(oldest) }
  return made
}
