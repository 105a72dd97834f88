/**
 * Since when Redis has what it says. One that was restarted may have lost the last second, or come back from a copy: a job from before that may
 * have been begun though it says that it never was.
 */
import type { Redis } from 'ioredis'

export interface RedisStart { /** Whether a job added at that time (Unix milliseconds) is older than the present run of Redis; true while that is not known. */ isBefore(added: number): boolean }

export const watchRedisStart = (redis: Redis): RedisStart => {
  let started: number | null = null
  const look = async (): Promise<void> => {
    started = null
    const seconds = /uptime_in_seconds:(\d+)/.exec(await redis.info('server'))?.[1]
    // Whole seconds, rounded down: it started this late at the latest. Clocks of others may be off by as much again.
    if (seconds !== undefined) started = Date.now() - Number(seconds) * 1_000 + 1_000
  }
  const begin = (): void => { look().catch(() => undefined) }
  redis.on('ready', begin)
  if (redis.status === 'ready') begin()
  return { isBefore: (added) => started === null || added < started }
}
