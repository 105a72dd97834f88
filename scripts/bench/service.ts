/** The product as it runs: an API and a worker as processes of their own, on a stack of the bench's. */
import { openStore, type Store } from '../../schemas/clickhouse.js'
import { migrate } from '../../schemas/migrations.js'
import { loadRegisters } from '../../stages/enrich/registers/loadRegisters.js'
import { freePort } from '../embedded/ports.js'
import { startMeasured, type Measured } from './processes.js'
import type { Stack } from './stack.js'

export interface Service { readonly store: Store; readonly api: Measured; readonly worker: Measured; readonly url: string; stop(): Promise<void> }

export const database = 'bench'

/** The node's URL goes into the variable `nodes`, nowhere where that is ''. Rejects when the API does not answer within 60 seconds. */
export const startService = async (stack: Stack, extra: Record<string, string>, nodes: 'ETH_RPC_URL' | 'BTC_RPC_URL' | '' = 'ETH_RPC_URL'): Promise<Service> => {
  await migrate(stack.clickhouse.url, database)
  const store = openStore(stack.clickhouse.url, database)
  await loadRegisters(store)
  const environment = {
    CLICKHOUSE_URL: stack.clickhouse.url, REDIS_URL: stack.redis.url, CLICKHOUSE_DATABASE: database, QUEUE_PREFIX: 'bench', ...(nodes === '' ? {} : { [nodes]: stack.nodeUrl }),
    LOG_LEVEL: process.env['BENCH_LOG'] ?? 'warn', LOG_TO_STORE: 'false', ...extra,
  }
  const port = await freePort()
  const api = startMeasured(new URL('../../api/main.ts', import.meta.url), [], { ...environment, PORT: String(port) })
  const worker = startMeasured(new URL('../../workers/main.ts', import.meta.url), [], environment)
  const url = `http://127.0.0.1:${port}`
  const stop = async (): Promise<void> => { await Promise.all([worker.stop(), api.stop()]); await store.close() }
  for (const deadline = Date.now() + 60_000; ;) {
    try { if ((await fetch(`${url}/v1/billing/tiers`)).ok) return { store, api, worker, url, stop } } catch { /* not listening yet */ }
    if (Date.now() > deadline) { await stop(); throw new Error('bench: the API did not answer within 60 s') }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
