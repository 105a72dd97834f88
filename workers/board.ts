/** bull-board over the five queues, as a Koa middleware: a view only. Orders go through the API, which keeps them and writes them down. */
import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { KoaAdapter } from '@bull-board/koa'
import type Koa from 'koa'
import { askerConnection, firstMs, openQueues, readyWithin } from './queues.js'

/** Serves the board under `basePath`; it reads through a connection of its own. While Redis is away it rejects with what the driver says, at once, or within seconds when Redis hangs. */
export const openBoard = (redisUrl: string, prefix: string, basePath: string): { middleware: Koa.Middleware; close(): Promise<void> } => {
  const redis = askerConnection(redisUrl)
  redis.on('error', () => undefined)
  const queues = openQueues(redis, prefix, () => undefined)
  const opened = readyWithin(redis, firstMs)
  const adapter = new KoaAdapter()
  createBullBoard({ queues: Object.values(queues).map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })), serverAdapter: adapter, options: { uiConfig: { boardTitle: 'Hydrophone' } } })
  adapter.setBasePath(basePath)
  // Its own answer to a fault has neither our envelope nor a request id.
  adapter.setErrorHandler((thrown) => { throw thrown })
  const shown = adapter.registerPlugin() as unknown as Koa.Middleware
  return {
    middleware: async (ctx, next) => {
      await opened
      await redis.ping()
      await shown(ctx, next)
    },
    close: async () => { await Promise.all(Object.values(queues).map((queue) => queue.close())); redis.disconnect() },
  }
}
