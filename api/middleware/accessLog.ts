import type { Logger } from 'pino'
import type { Middleware } from '../context.js'
import { withoutKeys } from '../keyFormat.js'
import type { Metrics } from '../metrics.js'

/** A path without the address it takes off a watch list, and of a signed report's hash, which whoever has it can read the report by, the beginning alone: operators read the log, and whom somebody watches or looks into is not theirs to know. */
const withoutPrivate = (path: string): string => path.replace(/^(\/v1\/monitoring\/lists\/[^/]*\/addresses\/).+$/, '$1…').replace(/^(\/v1\/(?:verify|reports)\/.{0,10})[^/]*/, '$1…')

/** One line and one measurement per request. The query string is left out: people put secrets there. Of a key, its public id is told. */
export const accessLog = (log: Logger, metrics: Metrics): Middleware => {
  // The line is made here, of parts that are no secrets: looking for some cost ten times as much as writing it.
  const lines = log.child({}, { redact: [] })
  return async (ctx, next) => {
    const started = performance.now()
    metrics.inFlight(1)
    try {
      await next()
    } finally {
      metrics.inFlight(-1)
      const milliseconds = performance.now() - started
      const { operation, principal, requestId } = ctx.state
      const { statusCode: status } = ctx.res
      metrics.request(operation || 'none', status, milliseconds / 1_000)
      if (lines.isLevelEnabled('info')) {
        lines.info({ operation, status, milliseconds: Math.round(milliseconds * 100) / 100, tier: principal?.tier, key: principal?.keyId, method: ctx.method, path: withoutPrivate(withoutKeys(ctx.path)), traceId: requestId }, 'request')
      }
    }
  }
}
