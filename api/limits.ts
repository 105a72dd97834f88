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
  /**
   * The same for large buckets, at a fraction of the round trips: this process draws a small share at a time and counts it down.
   * Never more than `points` in all; what is left of a share when a process ends is lost to the caller (under 0.1 percent).
   */
  draw(name: string, who: string, points: number, seconds: number): Promise<Verdict>
}

const verdict = (taken: RateLimiterRes, limit: number, allowed: boolean): Verdict => ({ allowed, limit, remaining: Math.max(0, taken.remainingPoints), resetMs: Math.max(0, taken.msBeforeNext) })

/** How much is drawn at a time; it divides `points`, so that the last share is a whole one. */
const shareOf = (points: number): number => [100, 10].find((share) => points >= share * 1_000 && points % share === 0) ?? 1
const mostShares = 20_000

interface Share { left: number; readonly beyond: number; readonly until: number }

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
  const consume = async (name: string, who: string, points: number, seconds: number, count: number): Promise<Verdict> => {
    try {
      return verdict(await limiterOf(name, points, seconds).consume(who, count), points, true)
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return verdict(refused, points, false)
      throw refused
    }
  }
  const shares = new Map<string, Share>()
  const drawing = new Map<string, Promise<Verdict>>()
  const spend = (id: string, limit: number): Verdict | undefined => {
    const share = shares.get(id)
    if (share === undefined || share.left === 0 || share.until <= Date.now()) return undefined
    share.left--
    return { allowed: true, limit, remaining: share.beyond + share.left, resetMs: share.until - Date.now() }
  }
  const refill = async (id: string, name: string, who: string, points: number, seconds: number): Promise<Verdict> => {
    const count = shareOf(points)
    const drawn = await consume(name, who, points, seconds, count)
    if (shares.size >= mostShares) shares.delete(shares.keys().next().value ?? '')
    if (drawn.allowed) shares.set(id, { left: count, beyond: drawn.remaining, until: Date.now() + drawn.resetMs })
    return drawn
  }
  return {
    take: (name, who, points, seconds) => consume(name, who, points, seconds, 1),
    draw: async (name, who, points, seconds) => {
      const id = `${name}/${points}/${who}`
      for (;;) {
        const spent = spend(id, points)
        if (spent !== undefined) return spent
        let refilling = drawing.get(id)
        if (refilling === undefined) drawing.set(id, refilling = refill(id, name, who, points, seconds).finally(() => drawing.delete(id)))
        const drawn = await refilling
        if (!drawn.allowed) return drawn
      }
    },
  }
}
