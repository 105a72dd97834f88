/** A mark in Redis that tells planners of an order about what is wanted. The order itself stands in the store, which planners read again every second where nobody left a mark. */
import type { Redis } from 'ioredis'

/** Names of what the planner of a chain looks at before every step: whether Redis was emptied since it gave jobs again, and how many orders there were. */
const aliveKey = (prefix: string, chain: string): string => `${prefix}:alive:${chain}`, ordersKey = (prefix: string, chain: string): string => `${prefix}:orders:${chain}`

/** To be called after the order is in the store. */
export const markOrder = (redis: Redis, prefix: string, chain: string): Promise<number> => redis.incr(ordersKey(prefix, chain))

export const openMarks = (redis: Redis, prefix: string, chain: string) => {
  let orders: string | null | undefined
  return {
    /** emptied: Redis was emptied since `keep`, which is told by each chain for itself: its jobs are given by its own planner. ordered: there was an order since the last look. */
    look: async (): Promise<{ readonly emptied: boolean; readonly ordered: boolean }> => {
      const [alive, now] = await redis.mget(aliveKey(prefix, chain), ordersKey(prefix, chain))
      const ordered = orders !== undefined && now !== orders
      orders = now
      return { emptied: alive == null, ordered }
    },
    keep: () => redis.set(aliveKey(prefix, chain), '1'),
  }
}
