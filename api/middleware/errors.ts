import type { Logger } from 'pino'
import type { Middleware } from '../context.js'
import { render } from '../envelopes.js'
import { logFailure } from '../failures.js'
import { tellRefusal } from './rateLimit.js'

/** Turns anything thrown below into its envelope; what is our own fault is logged with its cause. */
export const errors = (log: Logger): Middleware => async (ctx, next) => {
  try {
    await next()
  } catch (thrown) {
    if (ctx.res.headersSent) { ctx.res.destroy(); return }
    const answer = render(thrown, `${ctx.state.baseUrl}/redoc`, ctx.state.requestId)
    if (answer.status >= 500) logFailure(log, thrown, { traceId: ctx.state.requestId, operation: ctx.state.operation }, 'request failed')
    ctx.status = answer.status
    ctx.set({ ...answer.headers })
    if (answer.refusal !== undefined) tellRefusal(answer.refusal.window, answer.refusal.seconds, String(ctx.res.getHeader('RateLimit-Policy') ?? ''), (name, value) => ctx.res.setHeader(name, value))
    if (answer.status === 401 && ctx.path === '/mcp') ctx.set('WWW-Authenticate', `Bearer resource_metadata="${ctx.state.baseUrl}/.well-known/oauth-protected-resource/mcp", realm="hydrophone"`)
    if (answer.status === 401 && ctx.path.startsWith('/admin/')) ctx.set('WWW-Authenticate', 'Basic realm="Hydrophone: any name, the key as password"')
    ctx.body = answer.body
  }
}
