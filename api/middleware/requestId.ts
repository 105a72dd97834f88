import { randomUUID } from 'node:crypto'
import type { Middleware } from '../context.js'
import { keyPrefix } from '../keyFormat.js'

/** Names the request: the caller's X-Request-Id when it is a sane one, else a new one; echoed in the answer and written into the log, so a key sent by mistake is none. */
export const requestId: Middleware = (ctx, next) => {
  const given = ctx.req.headers['x-request-id']
  const { state } = ctx
  state.requestId = typeof given === 'string' && /^[\w-]{8,64}$/.test(given) && !given.includes(keyPrefix) ? given : randomUUID()
  state.operation = ''
  state.refused = null
  ctx.res.setHeader('X-Request-Id', state.requestId)
  return next()
}
