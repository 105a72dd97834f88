/** Servers and workers of one simulated run, all of which can be killed and come back. */
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import { startClickHouse, type Embedded } from '../embedded/clickhouse.js'
import { freePort } from '../embedded/ports.js'
import { startRedis } from '../embedded/redis.js'

export interface World {
  readonly clickhouseUrl: string
  readonly redisUrl: string
  killClickHouse(): Promise<void>
  killRedis(): Promise<void>
  flush(): Promise<void>
  stop(): Promise<void>
}

/** Starts a ClickHouse and a Redis of the run's own under `directory`; `spawned` is told each process before it answers, also of those that come back. */
export const openWorld = async (directory: string, spawned: (pid: number) => void): Promise<World> => {
  const [clickhousePort, redisPort] = [await freePort(), await freePort()]
  const openClickHouse = (): Promise<Embedded> => startClickHouse(join(directory, 'clickhouse'), clickhousePort, '', spawned)
  const openRedis = (): Promise<Embedded> => startRedis(join(directory, 'redis'), redisPort, '', spawned)
  let clickhouse = await openClickHouse()
  let redis = await openRedis().catch(async (thrown: unknown) => { await clickhouse.kill(); throw thrown })
  return {
    clickhouseUrl: clickhouse.url, redisUrl: redis.url,
    killClickHouse: async () => { await clickhouse.kill(); clickhouse = await openClickHouse() },
    killRedis: async () => { await redis.kill(); redis = await openRedis() },
    flush: async () => {
      const client = new Redis(redis.url, { lazyConnect: true })
      client.on('error', () => undefined)
      await client.connect()
      await client.flushall()
      client.disconnect()
    },
    stop: async () => { await Promise.all([clickhouse.kill(), redis.kill()]) },
  }
}

export interface Workers { readonly deaths: () => number; /** Replaces the workers by ones with this probability of dying at a checkpoint. */ restart(kill: number): Promise<void>; stop(): Promise<void> }

/** Keeps `count` worker processes alive on `environment`; each that dies is replaced at once. */
export const openWorkers = async (environment: Record<string, string>, count: number, seed: number, kill: number): Promise<Workers> => {
  const script = fileURLToPath(new URL('worker.ts', import.meta.url))
  const children = new Set<ChildProcess>()
  let probability = kill
  let deaths = 0
  let born = 0
  let stopping = false
  const start = (): void => {
    born += 1
    const child = spawn(process.execPath, ['--import', 'tsx/esm', script], {
      // The channel says nothing: a worker that finds it closed was left behind, and ends.
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment, SIMULATE_SEED: String(seed * 1_000 + born), SIMULATE_KILL: String(probability) },
    })
    children.add(child)
    child.once('exit', () => { children.delete(child); if (!stopping) { deaths += 1; start() } })
  }
  const end = async (): Promise<void> => {
    stopping = true
    await Promise.all([...children].map((child) => new Promise<void>((resolve) => { child.once('exit', () => { resolve() }); child.kill('SIGKILL') })))
  }
  for (let index = 0; index < count; index += 1) start()
  return {
    deaths: () => deaths,
    restart: async (next) => { await end(); probability = next; stopping = false; for (let index = 0; index < count; index += 1) start() },
    stop: end,
  }
}
