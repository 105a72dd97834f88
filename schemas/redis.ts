/** What a connection to Redis is refused for good. */
import { AppError, messageOf } from './errors.js'

/**
 * What is wrong with REDIS_URL where `fault`, of a connection of ioredis, says that Redis does not let it into its database; undefined for any other. Such a connection
 * is to be closed: it would go on in database 0, which may be another service's.
 */
export const keptOut = (fault: unknown): AppError | undefined => {
  const { command } = fault as { command?: { name?: string; args?: readonly unknown[] } }
  if (command?.name !== 'select' || !/^(ERR|NOPERM) /.test(messageOf(fault))) return undefined
  return new AppError('REDIS_DATABASE', `Redis does not let us into database ${String(command.args?.[0])}, which REDIS_URL names (${messageOf(fault)}): name one it has`, { cause: fault })
}

/** Whether `fault` says that Redis refuses a user or a password. */
export const isDenied = (fault: unknown): boolean => /^(NOAUTH|WRONGPASS|NOPERM|ERR AUTH)/.test(messageOf(fault))

/** What whoever starts is refused for: its database, its user or its password. Of one that runs already a password that changed is waited out, as it may change back. */
export const refusedAtStart = (fault: unknown): AppError | undefined =>
  keptOut(fault) ?? (isDenied(fault) ? new AppError('REDIS_DENIED', 'Redis refuses the user or the password of REDIS_URL', { cause: fault }) : undefined)
