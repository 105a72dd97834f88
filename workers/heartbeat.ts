/** A worker says every few seconds which stages it runs: how the status tells a paused stage from one that nobody runs. */
import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import type { StageName } from '../schemas/primitives.js'
import * as metrics from './metrics.js'
import type { Parts } from './runner.js'

const beatMs = 5_000
const heartbeatKey = (prefix: string, stage: StageName): string => `${prefix}:beat:${stage}`

/** Milliseconds by the clock of Redis, which all who beat and all who ask share. */
const clockOf = async (redis: Redis): Promise<number> => { const [seconds, microseconds] = await redis.time(); return Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000) }

/** A worker that beat within a minute; the rest are gone, and so is one that beat at a time that is yet to come: the clock of Redis was set back, and who is there beats again. */
const isAlive = (value: string, now: number): boolean => Math.abs(now - Number(value.split('|')[1] ?? 0)) < 60_000

/** Starts beating for `stages`; returns what stops it. */
export const reportHealth = (parts: Parts, stages: readonly StageName[]): (() => void) => {
  const id = randomUUID()
  let since: number | undefined
  const beat = async (): Promise<void> => {
    const { redis } = parts, now = await clockOf(redis)
    since ??= now
    for (const stage of stages) {
      const key = heartbeatKey(parts.config.QUEUE_PREFIX, stage)
      await redis.hset(key, { [id]: `${since}|${now}` })
      const silent = Object.entries(await redis.hgetall(key)).filter(([, value]) => !isAlive(value, now)).map(([worker]) => worker)
      if (silent.length > 0) await redis.hdel(key, ...silent)
      const counts = await parts.queues[stage].getJobCounts('wait', 'prioritized', 'active', 'delayed', 'failed')
      for (const [state, count] of Object.entries(counts)) metrics.waiting.set({ stage, state }, count)
    }
  }
  const timer = setInterval(() => { beat().catch(() => undefined) }, beatMs)
  beat().catch(() => undefined)
  return () => { clearInterval(timer) }
}

/** Seconds since the longest-running worker of a stage started, among those that beat within a minute; null when none did. */
export const stageUptime = async (redis: Redis, prefix: string, stage: StageName): Promise<number | null> => {
  const [now, beats] = await Promise.all([clockOf(redis), redis.hgetall(heartbeatKey(prefix, stage))])
  const alive = Object.values(beats).filter((value) => isAlive(value, now)).map((value) => Number(value.split('|')[0]))
  return alive.length === 0 ? null : Math.max(0, Math.round((now - Math.min(...alive)) / 1_000))
}
