/** The questions of analysts on a long history, and the same questions to Postgres. */
import { z } from 'zod'
import { openKeys } from '../../../api/keys.js'
import { adminScopes } from '../../../api/tiers.js'
import { startMeasured } from '../processes.js'
import { database, startService } from '../service.js'
import { openStack } from '../stack.js'
import { ask, pickAddresses, type Asked } from './ask.js'
import { benchFloor, type Floor } from './floor.js'
import { first, generate, type History } from './generate.js'
import { benchPostgres, type PostgresFigure } from './postgres.js'
import { questions } from './questions.js'

export interface Answered extends Asked { readonly name: string; readonly bar: number; readonly times: number | undefined; /** Of the ten busiest addresses, where the question is about one. */ readonly busiest: Asked | undefined }
export interface HistoryResult { readonly history: History; readonly answered: readonly Answered[]; readonly floor: Floor; readonly postgres: PostgresFigure | undefined; /** Its version. */ readonly clickhouse: string }

const recorded = 16

/** `count` movements; `compare`: with Postgres beside, which must be installed. */
export const benchHistory = async (count: number, compare: boolean, say: (text: string) => void): Promise<HistoryResult> => {
  const stack = await openStack(first, recorded + 1, ['--head', String(first + recorded - 1)])
  try {
    const service = await startService(stack, { ETH_START_BLOCK: String(first) })
    try {
      say(`history: ${recorded} recorded blocks for the mix …`)
      for (const deadline = Date.now() + 120_000; ;) {
        const row = await (await service.store.client.query({ query: "SELECT max(to_block) AS newest FROM batches WHERE stage = 'alert'", format: 'JSONEachRow' })).json<{ newest: string }>()
        if (Number(row[0]?.newest) >= first + recorded - 1) break
        if (Date.now() > deadline) throw new Error('bench: the recorded blocks were not indexed within two minutes')
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
      await Promise.all([service.worker.stop(), service.api.stop()])
      const { key } = await openKeys(service.store, service.store).issue({ name: 'bench', role: 'admin', tier: 'enterprise', rate_limit: 1_000_000_000, daily_cap: 0, scopes: [...adminScopes], source_ip: '' })
      const history = await generate(service.store, count, say)
      say(`history: ${history.transfers} movements and ${history.swaps} swaps in ${history.blocks} blocks after ${history.seconds.toFixed(0)} s`)
      const addresses = await pickAddresses(service.store)
      const api = startMeasured(new URL('api.ts', import.meta.url), [], { CLICKHOUSE_URL: stack.clickhouse.url, REDIS_URL: stack.redis.url, CLICKHOUSE_DATABASE: database, QUEUE_PREFIX: 'bench', PUBLIC_RATE: '1000000', NODE_ENV: 'production' })
      try {
        const answered: Answered[] = [], url = await api.line()
        for (const question of questions) {
          const times = await ask(url, key, question, addresses.any)
          const busiest = question.path.length > 1 ? await ask(url, key, question, addresses.busiest, addresses.busiest.length) : undefined
          answered.push({ name: question.name, bar: question.bar, times: question.times, busiest, ...times })
          say(`history: ${question.name}: p50 ${times.p50.toFixed(1)}, p95 ${times.p95.toFixed(1)} ms (bar ${question.bar}; asked first: p95 ${times.first95.toFixed(1)})${busiest === undefined ? '' : `; busiest addresses ${busiest.p50.toFixed(0)}, ${busiest.p95.toFixed(0)}`}`)
        }
        const floor = await benchFloor(service.store, stack.clickhouse.url, database, addresses.any)
        say(`history: ClickHouse itself: SELECT 1 ${floor.nothing.toFixed(1)}, 50 rows by key ${floor.lookup.toFixed(1)} ms`)
        const postgres = compare ? await benchPostgres(service.store, { url, key }, history.transfers, addresses, say) : undefined
        const [version] = await service.store.query('SELECT version() AS version', {}, z.object({ version: z.string() }))
        return { history, answered, floor, postgres, clickhouse: version?.version ?? '' }
      } finally { await api.stop() }
    } finally { await service.stop() }
  } finally { await stack.stop() }
}
