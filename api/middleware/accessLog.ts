import type { Logger } from 'pino'
import type { Middleware } from '../context.js'
import type { Metrics } from '../metrics.js'

/** One line and one measurement per request. The query string is left out: people put secrets there. */
export const accessLog = (log: Logger, metrics: Metrics): Middleware => async (ctx, next) => {
  const started = performance.now()
  metrics.inFlight(1)
  try {
    await next()
  } finally {
    metrics.inFlight(-1)
    const milliseconds = performance.now() - started
    metrics.request(ctx.state.operation || 'none', ctx.status, milliseconds / 1_000)
    if (log.isLevelEnabled('info')) {
      log.info({ method: ctx.method, path: ctx.path, status: ctx.status, milliseconds: Math.round(milliseconds * 100) / 100, operation: ctx.state.operation, key: ctx.state.principal?.keyId, requestId: ctx.state.requestId }, 'request')
    }
  }
}
