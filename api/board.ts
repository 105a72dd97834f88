/** The queue board for admins, under /admin/queues. A browser signs in by HTTP Basic with the key as the password. */
import { unavailable } from '../schemas/errors.js'
import type { openBoard } from '../workers/board.js'
import { isAway } from '../workers/queues.js'
import type { MountPart } from './mounts.js'

/** The board brings scripts and styles of its own, so it gets a policy that lets exactly those run. */
const policy = "default-src 'self'; style-src 'self' 'unsafe-inline'; script-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; frame-ancestors 'none'"

export const board: MountPart = ({ config, redisUrl }) => {
  // Loaded when an operator first looks: it is a twentieth of the process, and most processes never show it.
  let opened: Promise<ReturnType<typeof openBoard>> | undefined
  const open = () => (opened ??= import('../workers/board.js').then((module) => module.openBoard(redisUrl, config.QUEUE_PREFIX, '/admin/queues')))
  return {
    paths: ['/admin/queues'], name: 'queue_board', auth: 'key', role: 'admin', close: async () => { await (await opened)?.close() },
    middleware: async (ctx, next) => {
      ctx.set('Content-Security-Policy', policy)
      const { middleware } = await open()
      try {
        await (middleware as unknown as (context: typeof ctx, after: typeof next) => Promise<void>)(ctx, next)
      } catch (thrown) { throw isAway(thrown) ? unavailable('Redis', thrown) : thrown }
    },
  }
}
