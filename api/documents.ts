/** What is not a question: the description, its summary, the reference page and the measurements. */
import type { Middleware, Parts } from './context.js'
import { roleRequired } from './faults.js'
import { describe } from './openapi.js'
import { referencePage } from './referencePage.js'

const loopback = /^(::1|(::ffff:)?127\.)/

export const documents = ({ operations, metrics }: Pick<Parts, 'operations' | 'metrics'>): Middleware => {
  const described = new Map<string, string>()
  // Callers choose the Host header, so only the last few descriptions are kept.
  const description = (baseUrl: string): string => {
    const text = described.get(baseUrl) ?? JSON.stringify(describe(operations, baseUrl))
    if (described.size > 8) described.clear()
    described.set(baseUrl, text)
    return text
  }
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next()
    if (ctx.path === '/openapi.json') {
      ctx.state.operation = 'openapi'
      ctx.type = 'application/json'
      ctx.body = description(ctx.state.baseUrl)
      return undefined
    }
    if (ctx.path === '/openapi-summary.json') {
      ctx.state.operation = 'openapi_summary'
      const listed = operations.map(({ name, route, auth, role, lane, summary }) => { const [method, path] = route.split(' '); return { name, method, path, auth, role: role ?? null, lane, summary } })
      ctx.body = { operations: listed.length, paths: new Set(listed.map(({ path }) => path)).size, public: listed.filter((one) => one.auth === 'public'), keyed: listed.filter((one) => one.auth === 'key') }
      return undefined
    }
    if (ctx.path === '/redoc') {
      ctx.state.operation = 'reference'
      ctx.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
      ctx.type = 'text/html'
      ctx.body = referencePage(operations)
      return undefined
    }
    if (ctx.path === '/metrics') {
      ctx.state.operation = 'metrics'
      const near = loopback.test(ctx.req.socket.remoteAddress ?? '') && ctx.get('X-Forwarded-For') === ''
      if (!near && ctx.state.principal.role !== 'admin') throw roleRequired('admin')
      ctx.type = metrics.registry.contentType
      ctx.body = await metrics.registry.metrics()
      return undefined
    }
    return next()
  }
}
