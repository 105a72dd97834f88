/** Clusters off the event loop: orders to the thread they live in. */
import type { Worker } from 'node:worker_threads'
import { AppError } from '../../schemas/errors.js'
import type { UnderWay } from '../../schemas/givingWay.js'
import { startThread } from '../../schemas/thread.js'
import type { ClusterOptions, ClusterRun } from './runClusters.js'

export interface Ordered { readonly chain: string; readonly options: Omit<ClusterOptions, 'checkpoint'> }
export type Answered = { readonly run: ClusterRun | null } | { readonly failed: string }

export interface ClusterThread { /** One run at a time, as runClusters does it. */ run(chain: string, options?: Ordered['options']): Promise<ClusterRun | null>; close(): Promise<void> }

/** Clusters of the store at `url` and `database`; the thread starts with the first run, and anew after it died. Its statements give way to what is `underWay`. */
export const openClusterThread = (url: string, database: string, underWay?: UnderWay): ClusterThread => {
  let thread: Worker | undefined
  let waiting: { resolve(run: ClusterRun | null): void; reject(thrown: Error): void } | undefined
  const end = (finish: (one: NonNullable<typeof waiting>) => void): void => { const one = waiting; waiting = undefined; thread?.unref(); if (one !== undefined) finish(one) }
  const failed = (why: string) => new AppError('CLUSTERS_FAILED', why, { retry: 'attempt' })
  const start = (): Worker => {
    const started = startThread(new URL('thread.ts', import.meta.url), { url, database, underWay: underWay?.buffer })
    started.on('message', (answered: Answered) => { end((one) => { if ('run' in answered) one.resolve(answered.run); else one.reject(failed(answered.failed)) }) })
    started.on('error', (thrown) => { end((one) => { one.reject(failed(`The thread of the clusters died: ${thrown.message}`)) }) })
    started.on('exit', () => { thread = undefined; end((one) => { one.reject(failed('The thread of the clusters was ended')) }) })
    return started
  }
  return {
    run: async (chain, options = {}) => {
      if (waiting !== undefined) throw failed('The clusters are under way in this process already')
      thread ??= start()
      // The thread alone keeps no process alive; an order under way does.
      thread.ref()
      return new Promise<ClusterRun | null>((resolve, reject) => { waiting = { resolve, reject }; thread?.postMessage({ chain, options } satisfies Ordered) })
    },
    close: async () => { await thread?.terminate() },
  }
}
