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
import { migrate } from '../../schemas/migrations.js'

const directory = mkdtempSync(join(tmpdir(), 'hydrophone-test-'))
let clickhouse: Promise<Embedded> | undefined
let redis: Promise<Embedded> | undefined
const stores = new Map<string, Store>()
const names = new Set<string>()

export const clickhouseUrl = async (): Promise<string> => {
  const given = process.env['TEST_CLICKHOUSE_URL']
  if (given !== undefined) return given
  clickhouse ??= startClickHouse(join(directory, 'clickhouse'))
  return (await clickhouse).url
}

export const redisUrl = async (): Promise<string> => {
  const given = process.env['TEST_REDIS_URL']
  if (given !== undefined) return given
  redis ??= startRedis(join(directory, 'redis'))
  return (await redis).url
}

export const randomName = (prefix: string): string => `${prefix}_${randomBytes(6).toString('hex')}`

/** Name for a database of the caller's own, which is dropped when its file is over. */
export const databaseName = (): string => {
  const name = randomName('t')
  names.add(name)
  return name
}

/** Databases named so far and not dropped. */
export const databases = (): readonly string[] => [...names]

/** A database holds some sixty files open, whether anybody uses it or not: those of all tests together are more than a process may have. */
export const dropDatabases = async (dropped: readonly string[]): Promise<void> => {
  for (const name of dropped) {
    names.delete(name)
    await stores.get(name)?.close()
    stores.delete(name)
    const answer = await fetch(await clickhouseUrl(), { method: 'POST', body: `DROP DATABASE IF EXISTS ${name}` })
    if (!answer.ok) throw new Error(`${name} cannot be dropped: ${await answer.text()}`)
  }
}

/** A migrated database of the caller's own. */
export const freshStore = async (): Promise<{ store: Store; url: string; database: string }> => {
  const url = await clickhouseUrl()
  const database = databaseName()
  await migrate(url, database)
  const store = openStore(url, database)
  stores.set(database, store)
  return { store, url, database }
}

export const stopServers = async (): Promise<void> => {
  await Promise.all([...stores.values()].map((store) => store.close()))
  await Promise.all([(await clickhouse)?.kill(), (await redis)?.kill()])
  rmSync(directory, { recursive: true, force: true })
}
