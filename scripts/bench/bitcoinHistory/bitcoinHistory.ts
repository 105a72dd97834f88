/** The newest page of an address of Bitcoin on a long made history: from the request to the API to the last byte of its answer. */
import { join } from 'node:path'
import { z } from 'zod'
import { openKeys } from '../../../api/keys.js'
import { adminScopes } from '../../../api/tiers.js'
import { openStore, type Store } from '../../../schemas/clickhouse.js'
import { migrate } from '../../../schemas/migrations.js'
import { loadSql } from '../../../schemas/sql.js'
import { startClickHouse } from '../../embedded/clickhouse.js'
import { startRedis } from '../../embedded/redis.js'
import { beginFolder, endFolder } from '../begun.js'
import { quantile } from '../figures.js'
import { startMeasured, usageOf, watchOthers } from '../processes.js'

const [outputs, texts] = [loadSql(import.meta.url, 'outputs.sql'), loadSql(import.meta.url, 'texts.sql')]
const perBlock = 7_000, first = 500_000, piece = 2_000_000, most = 200, pageRows = 50, database = 'history'
export const bitcoinHistoryBar = 50

/** Milliseconds of a page of 50 for `asks` addresses and for the one with most rows; `cpu`: milliseconds of API and ClickHouse for one page; `seconds` until all was written; `othersShare` (0 to 1) while pages were read. */
export interface BitcoinHistoryResult {
  readonly outputs: number; readonly rows: number; readonly asks: number; readonly p50: number; readonly p95: number; readonly busiest: number; readonly busiestRows: number
  readonly seconds: number; readonly othersShare: number; readonly cpu: number; readonly clickhouse: string
}

const Count = z.object({ count: z.coerce.number() })
const Owner = z.object({ address: z.string(), rows: z.coerce.number() })

const write = async (store: Store, count: number, addresses: number, say: (text: string) => void): Promise<void> => {
  for (let from = 0; from < count; from += piece) {
    await store.execute(outputs, { from, count: Math.min(piece, count - from), first, per_block: perBlock, addresses }, { max_insert_block_size: 1_000_000 })
    if ((from / piece) % 5 === 4) say(`bitcoin-history: ${((from + piece) / 1e6).toFixed(0)} of ${(count / 1e6).toFixed(0)} million outputs …`)
  }
  await store.execute(texts, { addresses })
  // It is asked about long after it was written: parts have been merged by then.
  for (let quiet = 0; quiet < 5;) {
    const [merges] = await store.query('SELECT count() AS count FROM system.merges', {}, Count)
    quiet = merges?.count === 0 ? quiet + 1 : 0
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
}

/** Addresses that occur, the same each time, as likely as any other; with `ORDER BY rows DESC` those with most rows first. */
const pick = (store: Store, order: string, count: number) => store.query(
  `SELECT x.text AS address, count() AS rows FROM address_transfers AS t INNER JOIN (SELECT b.id AS id, any(b.address) AS text FROM btc_parties AS b WHERE startsWith(b.address, '3') GROUP BY b.id) AS x ON x.id = t.address
   WHERE t.chain = 'BTC' GROUP BY x.text ORDER BY ${order} LIMIT {count:UInt32}`, { count }, Owner)

/** `count` outputs on an embedded server of its own. */
export const benchBitcoinHistory = async (count: number, say: (text: string) => void): Promise<BitcoinHistoryResult> => {
  const directory = beginFolder('bitcoin-history-'), endings: (() => Promise<unknown>)[] = []
  try {
    const clickhouse = await startClickHouse(join(directory, 'clickhouse'))
    endings.push(() => clickhouse.kill())
    const redis = await startRedis(join(directory, 'redis'))
    endings.push(() => redis.kill())
    await migrate(clickhouse.url, database)
    const store = openStore(clickhouse.url, database)
    endings.push(() => store.close())
    say(`bitcoin-history: ${(count / 1e6).toFixed(1)} million outputs …`)
    const began = performance.now()
    await write(store, count, Math.ceil(count / 5), say)
    const seconds = (performance.now() - began) / 1_000
    const drawn = await pick(store, 'cityHash64(x.text)', 2 * most), [busiest] = await pick(store, 'rows DESC', 1)
    if (drawn.length < 2 || busiest === undefined) throw new Error(`bench: ${count} outputs are too few: ${drawn.length} addresses can be asked about`)
    const { key } = await openKeys(store, store).issue({ name: 'bench', role: 'admin', tier: 'enterprise', rate_limit: 1_000_000_000, daily_cap: 0, scopes: [...adminScopes], source_ip: '' })
    const api = startMeasured(new URL('../history/api.ts', import.meta.url), [], { CLICKHOUSE_URL: clickhouse.url, REDIS_URL: redis.url, CLICKHOUSE_DATABASE: database, QUEUE_PREFIX: 'bench', PUBLIC_RATE: '1000000', NODE_ENV: 'production' })
    endings.push(() => api.stop())
    const url = await api.line()
    const askOne = async ({ address, rows }: z.infer<typeof Owner>): Promise<number> => {
      const started = performance.now()
      const answer = await fetch(`${url}/v1/wallets/transfers/${address}?chain=BTC&limit=${pageRows}`, { headers: { 'X-API-Key': key } }), text = await answer.text()
      const taken = performance.now() - started
      const { count: got, address: of } = JSON.parse(text) as { count?: number; address?: string }
      if (answer.status !== 200 || got !== Math.min(rows, pageRows) || of !== address) throw new Error(`bench: ${address} (${rows} rows) answered ${answer.status} ${text.slice(0, 300)}`)
      return taken
    }
    const half = Math.floor(drawn.length / 2), taken: number[] = [], again: number[] = []
    for (const one of drawn.slice(0, half)) await askOne(one)
    const used = (): number => usageOf(clickhouse.process.pid).cpu + api.cpu(), before = used(), others = watchOthers()
    for (const one of drawn.slice(half)) taken.push(await askOne(one))
    for (let time = 0; time < 20; time += 1) again.push(await askOne(busiest))
    const othersShare = others(), cpu = (used() - before) * 1_000 / (taken.length + again.length)
    const [all] = await store.query('SELECT count() AS count FROM address_transfers', {}, Count), [version] = await store.query('SELECT version() AS version', {}, z.object({ version: z.string() }))
    return {
      outputs: count, rows: all?.count ?? 0, asks: taken.length, p50: quantile(taken, 0.5), p95: quantile(taken, 0.95), busiest: quantile(again, 0.95), busiestRows: busiest.rows, seconds, othersShare, cpu, clickhouse: version?.version ?? '',
    }
  } finally {
    for (const end of endings.reverse()) await end()
    endFolder(directory)
  }
}
