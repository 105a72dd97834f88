/** The line in the log of a request that failed for no fault of its caller. */
import type { Logger } from 'pino'
import { AppError, messageOf } from '../schemas/errors.js'

/** A dependency that is away fails every request alike, so that a warning says all there is to say; what nobody expected is an error, with its stack. */
export const logFailure = (log: Logger, thrown: unknown, of: { readonly traceId: string; readonly operation: string | undefined }, what: string): void => {
  const cause = thrown instanceof AppError && thrown.cause !== undefined ? messageOf(thrown.cause) : undefined
  const line = { ...of, reason: messageOf(thrown), cause }
  if (thrown instanceof AppError && thrown.status === 503) log.warn(line, what)
  else log.error({ ...line, stack: thrown instanceof Error ? thrown.stack : undefined }, what)
}
