/** The API's connection to Redis, on which limits are counted. */
import { Redis, type Command } from 'ioredis'
import type { Logger } from 'pino'
import { keptOut, refusedAtStart } from '../schemas/redis.js'

/** Milliseconds for one command: behind it limits are kept per process. */
const commandMs = 500

/** Resolves when Redis is ready or away; rejects where it refuses the API. A command it does not answer in time rejects. */
export const connectRedis = async (url: string, log: Pick<Logger, 'info' | 'warn'>): Promise<Redis> => {
  const redis = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1, enableAutoPipelining: true, retryStrategy: (times) => Math.min(times * 100, 2_000) })
  const send = redis.sendCommand.bind(redis)
  redis.sendCommand = (command: Command, ...rest) => {
    // Behind what has come while this process was busy: its own slowness is not that of Redis.
    const timer = setTimeout(() => { setImmediate(() => { command.reject(new Error('Command timed out')) }) }, commandMs)
    const leave = (): void => { clearTimeout(timer) }
    command.promise.then(leave, leave)
    return send(command, ...rest)
  }
  let down = false
  redis.on('error', (fault) => {
    if (keptOut(fault) !== undefined) redis.disconnect()
    if (!down) log.warn({ reason: fault.message }, 'Redis does not answer: limits are kept per process')
    down = true
  })
  redis.on('ready', () => { if (down) log.info('Redis answers again'); down = false })
  await new Promise<void>((resolve, reject) => {
    redis.once('ready', () => { resolve() })
    redis.once('error', (fault) => { const refused = refusedAtStart(fault); if (refused === undefined) resolve(); else { redis.disconnect(); reject(refused) } })
  })
  return redis
}
