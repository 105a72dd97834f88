/** ClickHouse and Redis of this installation: those the environment names, else embedded ones that are kept alive on fixed ports. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from '../../schemas/config.js'
import { AppError } from '../../schemas/errors.js'
import { startClickHouse, type Embedded } from '../embedded/clickhouse.js'
import { freePort } from '../embedded/ports.js'
import { startRedis } from '../embedded/redis.js'
import { writeSecretFile } from '../embedded/secretFile.js'
import type { Part, Starter } from './keep.js'
import { end, identify } from './processes.js'

const part = ({ process: child }: Embedded): Part => {
  const pid = child.pid
  if (pid === undefined) throw new AppError('CHILD_FAILED', 'a store has no process')
  const identity = identify(pid)
  const gone = new Promise<void>((resolve) => { if (child.exitCode !== null || child.signalCode !== null) resolve(); else child.once('exit', () => { resolve() }) })
  return { gone, stop: async () => { await end(identity, 20_000); await gone } }
}

type Keep = (name: string, start: Starter) => Promise<void>

/** A store's URL with what only its owner knows (ClickHouse: its path; Redis: its password), and the file it is in for commands of the operator; null where the environment names the store. */
export interface OpenStore { readonly url: string; readonly file: string | null }

/** Starts what is missing through `keep`, each with a secret of this run in its URL: any program and any web page on this machine can reach loopback. */
export const openStores = async (config: Config, dataDir: string, keep: Keep): Promise<{ clickhouse: OpenStore; redis: OpenStore }> => {
  const open = async (name: string, given: string | undefined, start: (directory: string, port: number, secret: string, spawned: (pid: number) => void) => Promise<Embedded>): Promise<OpenStore> => {
    if (given !== undefined) return { url: given, file: null }
    const [port, secret, file] = [await freePort(), randomBytes(24).toString('hex'), join(dataDir, `${name.toLowerCase()}-url`)]
    let url = ''
    await keep(name, async (spawned) => {
      const started = await start(join(dataDir, name.toLowerCase()), port, secret, spawned)
      url = started.url
      return part(started)
    })
    writeSecretFile(file, `${url}\n`)
    return { url, file }
  }
  return {
    clickhouse: await open('ClickHouse', config.CLICKHOUSE_URL, startClickHouse),
    redis: await open('Redis', config.REDIS_URL, startRedis),
  }
}
