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
