import { randomUUID } from 'node:crypto'
import type { Middleware } from '../context.js'

/** Names the request: the caller's X-Request-Id when it is a sane one, else a new one; echoed in the answer. */
export const requestId: Middleware = (ctx, next) => {
  const given = ctx.get('X-Request-Id')
  ctx.state.requestId = /^[\w-]{8,64}$/.test(given) ? given : randomUUID()
  ctx.state.operation = ''
  ctx.state.refused = null
  ctx.set('X-Request-Id', ctx.state.requestId)
  return next()
}
