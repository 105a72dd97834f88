/** The measurements, for a scraper on this machine or an admin. */
import type { Middleware, Parts } from './context.js'
import { roleRequired } from './faults.js'

const loopback = /^(::1|(::ffff:)?127\.)/

export const measurements = ({ metrics }: Pick<Parts, 'metrics'>): Middleware => async (ctx, next) => {
  if (ctx.path !== '/metrics' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next()
  ctx.state.operation = 'metrics'
  const near = loopback.test(ctx.req.socket.remoteAddress ?? '') && ctx.get('X-Forwarded-For') === ''
  if (!near && ctx.state.principal.role !== 'admin') throw roleRequired('admin')
  ctx.type = metrics.registry.contentType
  ctx.body = await metrics.registry.metrics()
  return undefined
}
