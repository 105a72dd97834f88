/** Screening by the API as it runs, on the bundled lists: one address a request, and a thousand in one; most are asked for the first time and are on no list. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { getAddress } from 'viem'
import { z } from 'zod'
import { openKeys } from '../../../api/keys.js'
import { adminScopes } from '../../../api/tiers.js'
import { toBase58check } from '../../../schemas/addresses/encodings.js'
import { openStore } from '../../../schemas/clickhouse.js'
import { migrate } from '../../../schemas/migrations.js'
import { loadBundledLists } from '../../../stages/enrich/registers/sanctions/loadLists.js'
import { startClickHouse } from '../../embedded/clickhouse.js'
import { freePort } from '../../embedded/ports.js'
import { startRedis } from '../../embedded/redis.js'
import { beginFolder, endFolder } from '../begun.js'
import { quantile } from '../figures.js'
import { startMeasured, watchOthers } from '../processes.js'

const database = 'bench', singles = 1_000, batches = 30, perBatch = 1_000, warm = 200, matchEvery = 50
export const screeningBars = { single: 10, batch: 100 }
/** Milliseconds of a request, from its start to the last byte of its answer; cpu: of the API for one single and one batch; othersShare (0 to 1): what others took of the machine. */
export interface ScreeningResult { readonly listed: number; readonly singles: number; readonly p50: number; readonly p99: number; readonly batches: number; readonly batchP50: number; readonly batchP99: number; readonly cpu: number; readonly batchCpu: number; readonly matches: number; readonly othersShare: number }

/** An address nobody asked about before: of the EVM in lower case or with its checksum, of Bitcoin, of TRON, in turn. */
const fresh = (at: number): string => {
  const bytes = randomBytes(20)
  const hex = `0x${bytes.toString('hex')}` as const
  return at % 4 === 0 ? hex : at % 4 === 1 ? getAddress(hex) : toBase58check(Buffer.concat([Buffer.from([at % 4 === 2 ? 0 : 0x41]), bytes]))
}

export const benchScreening = async (say: (text: string) => void): Promise<ScreeningResult> => {
  const directory = beginFolder('screening-')
  const [clickhouse, redis] = [await startClickHouse(join(directory, 'clickhouse')), await startRedis(join(directory, 'redis'))]
  try {
    await migrate(clickhouse.url, database)
    const store = openStore(clickhouse.url, database)
    await loadBundledLists(store)
    const listed = (await store.query('SELECT DISTINCT address FROM designations_now WHERE unreadable = \'\' AND repaired = \'\'', {}, z.object({ address: z.string() }))).map(({ address }) => address)
    const { key } = await openKeys(store, store).issue({ name: 'bench', role: 'admin', tier: 'enterprise', rate_limit: 1_000_000_000, daily_cap: 0, scopes: [...adminScopes], source_ip: '' })
    const port = await freePort()
    const api = startMeasured(new URL('../../../api/main.ts', import.meta.url), [], { CLICKHOUSE_URL: clickhouse.url, REDIS_URL: redis.url, CLICKHOUSE_DATABASE: database, QUEUE_PREFIX: 'bench', LOG_LEVEL: 'warn', LOG_TO_STORE: 'false', SANCTIONS_STALE_SECONDS: '315360000', NODE_ENV: 'production', PORT: String(port) })
    const url = `http://127.0.0.1:${port}`
    try {
      for (const deadline = Date.now() + 60_000; ;) {
        try { if ((await fetch(`${url}/v1/billing/tiers`)).ok) break } catch { /* not listening yet */ }
        if (Date.now() > deadline) throw new Error('bench: the API did not answer within 60 s')
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      let matches = 0
      const ask = async (path: string, body: object): Promise<number> => {
        const text = JSON.stringify(body)
        const started = performance.now()
        const answer = await fetch(url + path, { method: 'POST', headers: { 'X-API-Key': key, 'content-type': 'application/json' }, body: text })
        const told = await answer.text()
        const took = performance.now() - started
        if (answer.status !== 200 || told.includes('"UNKNOWN"') && !told.includes('"UNKNOWN":0')) throw new Error(`bench: ${path} answered ${answer.status} ${told.slice(0, 300)}`)
        matches += told.split('"screening_status":"MATCH"').length - 1
        return took
      }
      const nth = (at: number): string => (at % matchEvery === 0 ? listed[at % listed.length] ?? '' : fresh(at))
      const single = (at: number): Promise<number> => ask('/v1/forensic/screen', { address: nth(at) })
      const batch = (): Promise<number> => ask('/v1/forensic/screen/batch', { addresses: Array.from({ length: perBatch }, (_, at) => nth(at)) })
      say(`screening: ${singles} single addresses, ${batches} batches of ${perBatch} …`)
      for (let at = 0; at < warm; at += 1) await single(at)
      for (let at = 0; at < 5; at += 1) await batch()
      matches = 0
      const others = watchOthers()
      const before = api.cpu()
      const took: number[] = []
      for (let at = 0; at < singles; at += 1) took.push(await single(at))
      const between = api.cpu()
      const batchTook: number[] = []
      for (let at = 0; at < batches; at += 1) batchTook.push(await batch())
      const after = api.cpu()
      return {
        listed: listed.length, singles, p50: quantile(took, 0.5), p99: quantile(took, 0.99), batches, batchP50: quantile(batchTook, 0.5), batchP99: quantile(batchTook, 0.99), matches,
        cpu: (between - before) * 1_000 / singles, batchCpu: (after - between) * 1_000 / batches, othersShare: others(),
      }
    } finally { await api.stop(); await store.close() }
  } finally {
    await Promise.all([clickhouse.kill(), redis.kill()])
    endFolder(directory)
  }
}
