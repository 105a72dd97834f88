/** The measurements, for a scraper on this machine or an admin. */
import type { Context, Middleware, Parts } from './context.js'
import { roleRequired } from './faults.js'

const loopback = /^(::1|(::ffff:)?127\.)/

/** Whether the measurements are asked for from this machine itself, and not for somebody behind a proxy on it: who does needs no key. */
export const isNearScrape = (ctx: Pick<Context, 'path' | 'method' | 'req' | 'get'>): boolean =>
  ctx.path === '/metrics' && (ctx.method === 'GET' || ctx.method === 'HEAD') && loopback.test(ctx.req.socket.remoteAddress ?? '') && ctx.get('X-Forwarded-For') === ''

export const measurements = ({ metrics }: Pick<Parts, 'metrics'>): Middleware => async (ctx, next) => {
  if (ctx.path !== '/metrics' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next()
  ctx.state.operation = 'metrics'
  if (!isNearScrape(ctx) && ctx.state.principal.role !== 'admin') throw roleRequired('admin')
  ctx.type = metrics.registry.contentType
  ctx.body = await metrics.registry.metrics()
  return undefined
}
