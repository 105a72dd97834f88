/** Threads beside the event loop: a module of this project in a worker thread of its own. */
import { Worker, type ResourceLimits } from 'node:worker_threads'

// The loader of TypeScript that a process was started with is not passed on to its threads: each registers it for itself.
const boot = 'import("tsx/esm/api").then(({ register }) => { register(); return import(require("node:worker_threads").workerData.module) })'

/** Starts the module at `url` (a file URL) in a thread; it reads `data` as workerData.data. The thread does not keep the process alive. */
export const startThread = (url: URL, data: unknown, limits: ResourceLimits = {}): Worker => {
  const thread = new Worker(boot, { eval: true, workerData: { module: url.href, data }, resourceLimits: limits })
  thread.unref()
  return thread
}
