/** The venue: a node's files, its socket, and questions on a long history of a made market. */
import { z } from 'zod'
import { openKeys } from '../../../api/keys.js'
import { adminScopes } from '../../../api/tiers.js'
import { openStore } from '../../../schemas/clickhouse.js'
import { migrate } from '../../../schemas/migrations.js'
import { makeMarket, sayMarket } from '../../market/market.js'
import { beginFolder, endFolder } from '../begun.js'
import { ask, type Asked } from '../history/ask.js'
import { watchOthers, startMeasured } from '../processes.js'
import { openStack } from '../stack.js'
import { benchFiles, type FilesResult } from './files.js'
import { makeHistory, type VenueHistory } from './history.js'
import { benchVenue, type LiveVenueResult } from './live.js'
import { questions } from './questions.js'

export interface HyperliquidResult { readonly files: FilesResult; readonly live: LiveVenueResult; readonly history: VenueHistory; readonly answered: readonly (Asked & { readonly name: string; readonly bar: number; readonly refused?: string })[]; readonly othersShare: number; readonly clickhouse: string }

/** Fills of the files: enough for some twenty seconds, fewer where fewer were ordered. */
const fileFills = 400_000, fileDays = 2, liveSeconds = 20

/** `fills`: of the long history. */
export const benchHyperliquid = async (fills: number, say: (text: string) => void): Promise<HyperliquidResult> => {
  const others = watchOthers()
  const stack = await openStack(20_000_000, 2)
  const folder = beginFolder('hl-')
  const open = async (name: string) => { await migrate(stack.clickhouse.url, name); return openStore(stack.clickhouse.url, name) }
  try {
    const made = await open('bench_made')
    const traders = Math.max(40, Math.round(Math.min(fileFills, fills) / (fileDays * 11.4 * 2)))
    const market = await makeMarket(made, { seed: 7, traders, days: fileDays, until: Math.floor(Date.now() / 60_000) * 60_000, slices: 3 }, say)
    await sayMarket(made, market, { fills: false })
    const files = await benchFiles(stack, made, market, folder, say)
    const live = await benchVenue(stack, made, market, liveSeconds, say)
    await made.close()
    const store = await open('bench_hl')
    try {
      const history = await makeHistory(store, stack.clickhouse.url, fills, say)
      say(`hyperliquid: ${history.market.fills} fills of ${history.market.traders} traders after ${history.seconds.toFixed(0)} s`)
      const { key } = await openKeys(store, store).issue({ name: 'bench', role: 'admin', tier: 'enterprise', rate_limit: 1_000_000_000, daily_cap: 0, scopes: [...adminScopes], source_ip: '' })
      const addresses = (await store.query("SELECT concat('0x', lower(hex(account))) AS address FROM made_traders WHERE role NOT IN ('maker', 'backstop') ORDER BY cityHash64(account) LIMIT 100", {}, z.object({ address: z.string() }))).map(({ address }) => address)
      const api = startMeasured(new URL('../history/api.ts', import.meta.url), [], { CLICKHOUSE_URL: stack.clickhouse.url, REDIS_URL: stack.redis.url, CLICKHOUSE_DATABASE: 'bench_hl', QUEUE_PREFIX: 'bench_hl', PUBLIC_RATE: '1000000', NODE_ENV: 'production' })
      const answered: HyperliquidResult['answered'][number][] = []
      try {
        const url = await api.line()
        for (const question of questions) {
          const taken = await ask(url, key, question, addresses)
          answered.push({ name: question.name, bar: question.bar, ...taken })
          say(`hyperliquid: ${question.name}: p50 ${taken.p50.toFixed(1)}, p95 ${taken.p95.toFixed(1)} ms (bar ${question.bar})`)
        }
      } finally { await api.stop() }
      const [version] = await store.query('SELECT version() AS version', {}, z.object({ version: z.string() }))
      return { files, live, history, answered, othersShare: others(), clickhouse: version?.version ?? '' }
    } finally { await store.close() }
  } finally {
    await stack.stop()
    endFolder(folder)
  }
}
