/** A node's files to rows that can be asked for: how many fills a second go through all five stages. */
import { createWriteStream, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { loadSql } from '../../../schemas/sql.js'
import type { Market } from '../../market/market.js'
import { usageOf } from '../processes.js'
import { database, startService } from '../service.js'
import type { Stack } from '../stack.js'

const hour = loadSql(import.meta.url, 'hour.sql')
const Sum = z.object({ fills: z.coerce.number(), pnl: z.string() })
const Passed = z.object({ passed: z.coerce.number(), told: z.coerce.number() })

export interface FilesResult { readonly fills: number; readonly megabytes: number; readonly seconds: number; readonly segments: number; readonly cpu: Readonly<Record<string, number>>; readonly stages: readonly { readonly stage: string; readonly batches: number; readonly milliseconds: number }[] }

/** Writes the market's fills as an hour's file each under `folder`. */
export const writeFiles = async (store: Store, { begin, minutes }: Market, folder: string): Promise<void> => {
  const until = begin + minutes * 60_000
  for (let from = begin; from < until; from += 3_600_000) {
    const [date = '', time = ''] = new Date(from).toISOString().split('T')
    const directory = join(folder, 'node_fills', 'hourly', date.replaceAll('-', ''))
    mkdirSync(directory, { recursive: true })
    await pipeline(Readable.from(store.read(hour, { begin, from, to: Math.min(until, from + 3_600_000) })), createWriteStream(join(directory, String(Number(time.slice(0, 2))))))
  }
}

/** Starts the service on an empty folder, puts the files there, and waits for their last stage; rejects when a fill is lost or changed. */
export const benchFiles = async (stack: Stack, made: Store, market: Market, folder: string, say: (text: string) => void): Promise<FilesResult> => {
  const staged = join(folder, 'staged'), heard = join(folder, 'heard')
  mkdirSync(heard, { recursive: true })
  say('hyperliquid: writing the files of a node …')
  await writeFiles(made, market, staged)
  const [wanted] = await made.query('SELECT count() AS fills, toString(sum(closed_pnl)) AS pnl FROM made_fills', {}, Sum)
  const service = await startService(stack, { HL_FILES_DIR: heard, PUBLIC_RATE: '1000000' }, '')
  const { store, worker, api } = service
  try {
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    const cpus = () => ({ clickhouse: usageOf(stack.clickhouse.process.pid).cpu, redis: usageOf(stack.redis.process.pid).cpu, worker: worker.cpu(), api: api.cpu() })
    const before = cpus(), started = performance.now()
    renameSync(join(staged, 'node_fills'), join(heard, 'node_fills'))
    for (let quiet = 0, last = -1; ;) {
      // The plan grows while files are read: it is over when no new segment has come and the last stage has all.
      const [row] = await store.query("SELECT (SELECT sum(to_block - from_block + 1) FROM batches WHERE chain = 'HL' AND stage = 'alert') AS passed, (SELECT max(number) FROM raw_payloads WHERE chain = 'HL') AS told", {}, Passed)
      const { passed = 0, told = 0 } = row ?? {}
      quiet = told > 0 && passed >= told && told === last ? quiet + 1 : 0
      last = told
      if (quiet > 0) {
        const [{ fills = 0 } = {}] = await store.query('SELECT count() AS fills FROM hl_fills', {}, z.object({ fills: z.coerce.number() }))
        if (fills >= market.fills) break
      }
      if (performance.now() - started > 3_600_000) throw new Error('bench: the files were not read within an hour')
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    const seconds = (performance.now() - started) / 1_000, after = cpus()
    const [got] = await store.query('SELECT count() AS fills, toString(sum(closed_pnl)) AS pnl FROM hl_fills', {}, Sum)
    if (got?.fills !== wanted?.fills || Math.abs(Number(got?.pnl) - Number(wanted?.pnl)) > 0.005) throw new Error(`bench: ${got?.fills} fills that earned ${got?.pnl} arrived, ${wanted?.fills} that earned ${wanted?.pnl} were written`)
    const [size] = await store.query("SELECT sum(length(payload)) AS bytes, uniqExact(number) AS segments FROM raw_payloads WHERE chain = 'HL'", {}, z.object({ bytes: z.coerce.number(), segments: z.coerce.number() }))
    const stages = await store.query(`SELECT stage, count() AS batches, avg(milliseconds) AS milliseconds FROM {database:Identifier}.batches WHERE chain = 'HL' GROUP BY stage ORDER BY indexOf(['ingest', 'normalize', 'enrich', 'index', 'alert'], stage)`, { database }, z.object({ stage: z.string(), batches: z.coerce.number(), milliseconds: z.coerce.number() }))
    say(`hyperliquid: ${got?.fills} fills from files in ${seconds.toFixed(1)} s, ${((got?.fills ?? 0) / seconds).toFixed(0)} a second`)
    return {
      fills: got?.fills ?? 0, megabytes: (size?.bytes ?? 0) / 1e6, seconds, segments: size?.segments ?? 0, stages,
      cpu: { clickhouse: after.clickhouse - before.clickhouse, redis: after.redis - before.redis, worker: after.worker - before.worker, api: after.api - before.api },
    }
  } finally { await service.stop() }
}
