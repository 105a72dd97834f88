/** Rate limits: exact over all processes while Redis answers; per process, in memory, while it does not. */
import type { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from '../schemas/config.js'

export interface Verdict {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Milliseconds until the window that speaks here ends. */
  readonly resetMs: number
}

export interface Limits {
  /** Takes one of `points` per `seconds` from `who`'s bucket `name`. */
  take(name: string, who: string, points: number, seconds: number): Promise<Verdict>
}

const verdict = (taken: RateLimiterRes, limit: number, allowed: boolean): Verdict => ({ allowed, limit, remaining: Math.max(0, taken.remainingPoints), resetMs: Math.max(0, taken.msBeforeNext) })

export const openLimits = (redis: Redis, config: Pick<Config, 'QUEUE_PREFIX'>): Limits => {
  const limiters = new Map<string, RateLimiterRedis>()
  const limiterOf = (name: string, points: number, duration: number): RateLimiterRedis => {
    const id = `${name}/${points}/${duration}`
    let limiter = limiters.get(id)
    if (limiter === undefined) {
      const shared = { points, duration, keyPrefix: `${config.QUEUE_PREFIX}_limit_${name}` }
      limiter = new RateLimiterRedis({ ...shared, storeClient: redis, rejectIfRedisNotReady: true, insuranceLimiter: new RateLimiterMemory(shared) })
      limiters.set(id, limiter)
    }
    return limiter
  }
  return {
    take: async (name, who, points, seconds) => {
      try {
        return verdict(await limiterOf(name, points, seconds).consume(who), points, true)
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return verdict(refused, points, false)
        throw refused
      }
    },
  }
}
