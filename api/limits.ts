/** Rate limits: exact over all processes while Redis answers; per process, in memory, while it does not. */
import type { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from '../schemas/config.js'

/** How many of what is called `name` there may be in so many seconds; without `seconds`: at once. */
export interface Window { readonly name: string; readonly limit: number; readonly seconds?: number }

export interface Verdict extends Window {
  readonly allowed: boolean
  readonly remaining: number
  /** Milliseconds until the window that speaks here ends. */
  readonly resetMs: number
}

export interface Limits {
  /** Takes one of `points` per `seconds` from `who`'s bucket `name`. */
  take(name: string, who: string, points: number, seconds: number): Promise<Verdict>
}

/** Takers of one bucket who came while the crowd before them was being counted: Redis counts them together, and they are served in order. */
interface Crowd { size: number; readonly counted: Promise<RateLimiterRes> }

const nextTurn = (): Promise<void> => new Promise((resolve) => { setImmediate(resolve) })

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
  /** The bucket after `count` more; that it has run over is no error here. */
  const consume = async (limiter: RateLimiterRedis, who: string, count: number): Promise<RateLimiterRes> => {
    try {
      return await limiter.consume(who, count)
    } catch (over) {
      if (over instanceof RateLimiterRes) return over
      throw over
    }
  }
  const waiting = new Map<string, Crowd>()
  const underWay = new Map<string, Promise<RateLimiterRes>>()
  const gather = (id: string, limiter: RateLimiterRedis, who: string): Crowd => {
    const leave = (): Promise<RateLimiterRes> => {
      waiting.delete(id)
      const counted = consume(limiter, who, crowd.size).finally(() => { if (underWay.get(id) === counted) underWay.delete(id) })
      underWay.set(id, counted)
      return counted
    }
    const crowd: Crowd = { size: 0, counted: (underWay.get(id) ?? nextTurn()).then(leave, leave) }
    waiting.set(id, crowd)
    return crowd
  }
  return {
    take: async (name, who, points, seconds) => {
      const id = `${name}/${points}/${seconds}/${who}`
      const crowd = waiting.get(id) ?? gather(id, limiterOf(name, points, seconds), who)
      const place = ++crowd.size
      const { consumedPoints, msBeforeNext } = await crowd.counted
      // The last of the crowd stands where the bucket stands now, those before it one step further down each.
      const taken = consumedPoints - crowd.size + place
      return { name, limit: points, seconds, allowed: taken <= points, remaining: Math.max(0, points - taken), resetMs: Math.max(0, msBeforeNext) }
    },
  }
}
