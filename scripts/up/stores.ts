/** ClickHouse and Redis of this installation: those the environment names, else embedded ones that are kept alive on fixed ports. */
import { join } from 'node:path'
import type { Config } from '../../schemas/config.js'
import { AppError } from '../../schemas/errors.js'
import { startClickHouse, type Embedded } from '../embedded/clickhouse.js'
import { freePort } from '../embedded/ports.js'
import { startRedis } from '../embedded/redis.js'
import type { Part } from './keep.js'
import { end, identify } from './processes.js'

const part = async (starting: Promise<Embedded>): Promise<Part> => {
  const { process: child } = await starting
  const pid = child.pid
  if (pid === undefined) throw new AppError('CHILD_FAILED', 'a store has no process')
  const identity = identify(pid)
  const gone = new Promise<void>((resolve) => { if (child.exitCode !== null || child.signalCode !== null) resolve(); else child.once('exit', () => { resolve() }) })
  return { pid, gone, stop: async () => { await end(identity, 20_000); await gone } }
}

type Keep = (name: string, start: () => Promise<Part>) => Promise<void>

/** Starts what is missing through `keep`; resolves to the URLs of both. */
export const openStores = async (config: Config, dataDir: string, keep: Keep): Promise<{ clickhouseUrl: string; redisUrl: string }> => {
  const open = async (name: string, given: string | undefined, scheme: string, start: (directory: string, port: number) => Promise<Embedded>): Promise<string> => {
    if (given !== undefined) return given
    const port = await freePort()
    await keep(name, () => part(start(join(dataDir, name.toLowerCase()), port)))
    return `${scheme}://127.0.0.1:${port}`
  }
  return {
    clickhouseUrl: await open('ClickHouse', config.CLICKHOUSE_URL, 'http', startClickHouse),
    redisUrl: await open('Redis', config.REDIS_URL, 'redis', startRedis),
  }
}
