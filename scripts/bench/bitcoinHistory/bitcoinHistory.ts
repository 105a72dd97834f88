/** `npx tsx scripts/bench/bitcoinHistory/bitcoinHistory.ts [OUTPUTS]`: the newest page of an address of Bitcoin on a long made history, by the statements that answer it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { openStore, type Store } from '../../../schemas/clickhouse.js'
import { migrate } from '../../../schemas/migrations.js'
import { loadSql } from '../../../schemas/sql.js'
import { startClickHouse } from '../../embedded/clickhouse.js'
import { quantile } from '../figures.js'

const api = (path: string) => loadSql(new URL(`../../../api/${path}`, import.meta.url).href, path.split('/').at(-1) ?? '')
const [outputs, texts] = [loadSql(import.meta.url, 'outputs.sql'), loadSql(import.meta.url, 'texts.sql')]
const page = api('operations/wallets/listWalletTransfers.sql'), names = api('bitcoinTexts.sql')

const perBlock = 7_000, first = 500_000, piece = 2_000_000, asks = 200
export const bitcoinHistoryBar = 50
/** Milliseconds of a page of 50 with the texts of its addresses; `granules`: of the table's index that one page reads, and how many there are, as EXPLAIN says. */
export interface BitcoinHistoryResult { readonly outputs: number; readonly rows: number; readonly p50: number; readonly p95: number; readonly busiest: number; readonly granules: string; readonly seconds: number }

const Row = z.object({ counterparty: z.string() })
const Id = z.object({ id: z.string() })

const newest = (address: string): Record<string, unknown> => ({ chain: 'BTC', address, token: '', direction: '', block: '18446744073709551615', kind: 127, position: 4_294_967_295, sub: 4_294_967_295, side: 127, limit: 51 })
const askOne = async (store: Store, address: string): Promise<number> => {
  const started = performance.now()
  const rows = await store.query(page, newest(address), Row)
  await store.query(names, { ids: [...new Set(rows.map(({ counterparty }) => counterparty.slice(2)))] }, z.object({ id: z.string(), address: z.string() }))
  return performance.now() - started
}

/** `count` outputs on an embedded server of its own. */
export const benchBitcoinHistory = async (count: number, say: (text: string) => void): Promise<BitcoinHistoryResult> => {
  const directory = mkdtempSync(join(tmpdir(), 'hydrophone-bitcoin-history-'))
  const clickhouse = await startClickHouse(join(directory, 'clickhouse'))
  await migrate(clickhouse.url, 'history')
  const store = openStore(clickhouse.url, 'history')
  const addresses = Math.ceil(count / 5), began = performance.now()
  const number = async (query: string): Promise<number> => (await store.query(query, {}, z.object({ count: z.coerce.number() })))[0]?.count ?? 0
  try {
    await store.execute('SYSTEM RELOAD DICTIONARY label_of')
    for (let from = 0; from < count; from += piece) {
      await store.execute(outputs, { from, count: Math.min(piece, count - from), first, per_block: perBlock, addresses }, { max_insert_block_size: 1_000_000 })
      if ((from / piece) % 5 === 4) say(`bitcoin-history: ${((from + piece) / 1e6).toFixed(0)} of ${(count / 1e6).toFixed(0)} million outputs …`)
    }
    await store.execute(texts, { addresses })
    // It is asked about long after it was written: parts have been merged by then.
    for (let quiet = 0; quiet < 5;) {
      quiet = await number('SELECT count() AS count FROM system.merges') === 0 ? quiet + 1 : 0
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
    const any = await store.query('SELECT lower(hex(address)) AS id FROM address_transfers WHERE cityHash64(address) % 997 = 7 GROUP BY address ORDER BY cityHash64(address, 1) LIMIT {count:UInt32}', { count: 2 * asks }, Id)
    const [busiest] = await store.query('SELECT lower(hex(address)) AS id FROM address_transfers GROUP BY address ORDER BY count() DESC LIMIT 1', {}, Id)
    for (const { id } of any.slice(asks)) await askOne(store, id)
    const taken: number[] = []
    for (const { id } of any.slice(0, asks)) taken.push(await askOne(store, id))
    const most: number[] = []
    for (let time = 0; time < 20; time += 1) most.push(await askOne(store, busiest?.id ?? ''))
    const plan = await store.query(`EXPLAIN indexes = 1 ${page.text}`, newest(any[0]?.id ?? ''), z.object({ explain: z.string() }))
    const granules = plan.map(({ explain }) => explain.trim()).filter((line) => line.startsWith('Granules')).at(-1) ?? ''
    return { outputs: count, rows: await number('SELECT count() AS count FROM address_transfers'), p50: quantile(taken, 0.5), p95: quantile(taken, 0.95), busiest: quantile(most, 0.95), granules, seconds: (performance.now() - began) / 1_000 }
  } finally {
    await store.close()
    await clickhouse.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const say = (text: string): void => { process.stdout.write(`${text}\n`) }
  const { p50, p95, busiest, rows, granules, seconds } = await benchBitcoinHistory(Number(process.argv[2] ?? 50_000_000), say)
  say(`bitcoin-history: ${rows} rows after ${seconds.toFixed(0)} s; a page of 50: p50 ${p50.toFixed(1)}, p95 ${p95.toFixed(1)} ms (bar ${bitcoinHistoryBar}); the busiest address p95 ${busiest.toFixed(1)} ms; ${granules}`)
  process.exit(p95 <= bitcoinHistoryBar ? 0 : 1)
}
