import type { Logger } from 'pino'
import type { Middleware } from '../context.js'
import { withoutKeys } from '../keyFormat.js'
import type { Metrics } from '../metrics.js'
import type { Operation } from '../operation.js'
import { matcher } from '../routes.js'

/** Fields of a path that the log shows as they are: none of them names whom or what somebody looks into. A name is that of a stage. */
const shown: ReadonlySet<string> = new Set(['chain', 'block_number', 'name', 'target', 'list_id', 'webhook_id', 'key_id', 'tag_id'])
const isShown = (field: string, path: string): boolean => shown.has(field) && (field !== 'name' || path.startsWith('/v1/pipeline/stage/'))
/** Addresses and hashes of every chain, wherever they stand. */
const telling = /[0-9A-Za-z]{24,}/g

/** A path without addresses, transactions and other values that are not `shown`, and of a signed report's hash, which whoever has it can read the report by, the beginning alone: operators read the log, and whom somebody watches or looks into is not theirs to know. Chains and heights stay. */
const openPrivate = (operations: readonly Operation[]): ((path: string) => string) => {
  const find = matcher(operations.map(({ route }) => { const [, path = ''] = route.split(' '); return { method: '', path, target: path.split('/').map((part) => (part.startsWith('{') && isShown(part.slice(1, -1), path) ? '' : part)) } }))
  const told = (field: string, value: string): string => (!field.startsWith('{') ? value : `${field === '{content_hash}' ? value.slice(0, 10) : ''}…`)
  return (path) => {
    const found = find('', path)
    return (found === null || 'allow' in found ? path : path.split('/').map((value, place) => told(found.target[place] ?? '', value)).join('/')).replace(telling, '…')
  }
}

/** One line and one measurement per request. The query string is left out: people put secrets there. Of a key, its public id is told. */
export const accessLog = (log: Logger, metrics: Metrics, operations: readonly Operation[]): Middleware => {
  const withoutPrivate = openPrivate(operations)
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
