/**
 * One ClickHouse and one Redis for a whole test run, started on first use and ended with the run (mocha root hook in hooks.ts);
 * TEST_CLICKHOUSE_URL / TEST_REDIS_URL reuse running ones. Each caller gets a database and a queue prefix of its own.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { startClickHouse, type Embedded } from '../../scripts/embedded/clickhouse.js'
import { startRedis } from '../../scripts/embedded/redis.js'
import { openStore, type Store } from '../../schemas/clickhouse.js'
import { dropDatabases, giveBack, takeDatabase } from './databases.js'

const directory = mkdtempSync(join(tmpdir(), 'hydrophone-test-'))
let clickhouse: Promise<Embedded> | undefined
let redis: Promise<Embedded> | undefined
/** As many as a Redis has unless it is told otherwise. */
const redisDatabases = 16
const stores = new Map<string, Store>()
const names = new Set<string>()

export const clickhouseUrl = async (): Promise<string> => {
  const given = process.env['TEST_CLICKHOUSE_URL']
  if (given !== undefined) return given
  clickhouse ??= startClickHouse(join(directory, 'clickhouse'))
  return (await clickhouse).url
}

/** Files that run side by side have a database of Redis each, which their tests may empty (FLUSHDB). */
export const redisUrl = async (): Promise<string> => {
  const given = process.env['TEST_REDIS_URL']
  if (given !== undefined) return `${given}/${Number(process.env['MOCHA_WORKER_ID'] ?? 0) % redisDatabases}`
  redis ??= startRedis(join(directory, 'redis'))
  return (await redis).url
}

export const randomName = (prefix: string): string => `${prefix}_${randomBytes(6).toString('hex')}`

/** Name for a database of the caller's own, which goes when its file is over. */
export const databaseName = (): string => {
  const name = randomName('t')
  names.add(name)
  return name
}

/** Databases in use. */
export const databases = (): readonly string[] => [...names]

/** What was named is emptied for others or dropped. */
export const returnDatabases = async (returned: readonly string[]): Promise<void> => {
  for (const name of returned) {
    names.delete(name)
    await stores.get(name)?.close()
    stores.delete(name)
    await giveBack(await clickhouseUrl(), name, () => randomName('t'))
  }
}

/** Name of a migrated database of the caller's own. */
export const freshDatabase = async (): Promise<string> => {
  const database = await takeDatabase(await clickhouseUrl(), () => randomName('t'))
  names.add(database)
  return database
}

/** A migrated database of the caller's own. */
export const freshStore = async (): Promise<{ store: Store; url: string; database: string }> => {
  const [url, database] = [await clickhouseUrl(), await freshDatabase()]
  const store = openStore(url, database)
  stores.set(database, store)
  return { store, url, database }
}

/** Runs `act` while the parts of a table stay as they are; afterwards they merge again, as whoever is given the database next expects. */
export const withoutMerges = async (store: Store, table: string, act: () => Promise<void>): Promise<void> => {
  await store.execute(`SYSTEM STOP MERGES ${table}`)
  try { await act() } finally { await store.execute(`SYSTEM START MERGES ${table}`) }
}

export const stopServers = async (): Promise<void> => {
  if (process.env['TEST_CLICKHOUSE_URL'] !== undefined) {
    await returnDatabases(databases())
    await dropDatabases(await clickhouseUrl())
  }
  await Promise.all([...stores.values()].map((store) => store.close()))
  await Promise.all([(await clickhouse)?.kill(), (await redis)?.kill()])
  rmSync(directory, { recursive: true, force: true })
}
