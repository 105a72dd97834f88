/** A long made market in the store as if it had been heard: its fills by SQL, the rest through the stages' own statements, then what the schedule works out. */
import { z } from 'zod'
import { findChain } from '../../../schemas/chains.js'
import type { Store } from '../../../schemas/clickhouse.js'
import { parseConfig } from '../../../schemas/config.js'
import { loadSql } from '../../../schemas/sql.js'
import { enrichHyperliquid } from '../../../stages/enrich/hyperliquid/statements.js'
import { normalizeHyperliquid } from '../../../stages/normalize/hyperliquid/statements.js'
import { runStatements, type Context } from '../../../stages/stage.js'
import { tasks } from '../../../workers/tasks.js'
import { landMarket, makeMarket, sayMarket, type Market } from '../../market/market.js'

const sql = (name: string) => loadSql(import.meta.url, `${name}.sql`)
const [fills, trades, liquidations, payments, ledger, plan, confusion] = ['history_fills', 'history_trades', 'history_liquidations', 'history_payments', 'history_ledger', 'history_plan', 'confusion'].map(sql)

export interface Judged { readonly role: string; readonly made: string; readonly told: string; readonly traders: number }
export interface VenueHistory { readonly market: Market; readonly seconds: number; readonly tasks: readonly { readonly name: string; readonly runs: number; readonly seconds: number }[]; readonly judged: readonly Judged[] }

/** Traders of a history, of so many fills each; its days, within the 30 to 90 that styles are judged over: of fewer positions skill is not told from luck. */
const fillsPerTrader = 1_000, usualDays = 88
/** Fills that a trader makes a day and slice, its makers' sides included. */
const fillsPerDay = 11.4

/** Segments from `first` to `last` through normalize and enrich. */
const digest = async (store: Store, first: number, last: number): Promise<void> => {
  const chain = findChain('HL')
  const context = { store, chain: { chain }, again: false, checkpoint: async () => Promise.resolve(), log: { debug: () => undefined, warn: () => undefined } } as unknown as Context
  for (let number = first; number <= last; number += 1) {
    const batch = { chain: 'HL', from: number, to: number, hash: `0x${'00'.repeat(32)}`, generation: 0, floor: 0 }
    await runStatements(normalizeHyperliquid, batch, context)
    await runStatements(enrichHyperliquid, batch, context)
  }
}

/** Fills `store`, an empty database, with a market of about `count` fills that ends now, at least one order's of 40 traders over `days`; `only`: the task of the schedule that is run, without all of them. */
export const makeHistory = async (store: Store, clickhouseUrl: string, count: number, say: (text: string) => void, { days = usualDays, only }: { readonly days?: number; readonly only?: string } = {}): Promise<VenueHistory> => {
  const began = performance.now()
  const traders = Math.max(40, Math.round(count / fillsPerTrader)), slices = Math.max(1, Math.round(2 * count / (traders * days * fillsPerDay)) - 1)
  const market = await makeMarket(store, { seed: 8, traders, days, until: Math.floor(Date.now() / 60_000) * 60_000, slices }, say)
  const { begin, minutes } = market
  const piece = 12 * 3_600_000, until = begin + minutes * 60_000
  for (let from = begin; from < until; from += piece) {
    const part = { begin, from, to: Math.min(until, from + piece) }
    await store.execute(fills!, part)
    await store.execute(trades!, part)
  }
  const parts = Math.max(1, Math.ceil(traders / 1_250))
  for (let part = 0; part < parts; part += 1) await store.execute(payments!, { begin, part, parts })
  await store.execute(liquidations!, { begin })
  say('hyperliquid: what the venue says of coins and accounts …')
  await sayMarket(store, market, { fills: false })
  const { first, last } = await landMarket(store, market, 24, minutes + 1)
  await digest(store, first, last)
  await store.execute(plan!, { count: last })
  await store.execute(ledger!, { count: last })
  const done: { name: string; runs: number; seconds: number }[] = []
  const config = parseConfig({ CLICKHOUSE_URL: clickhouseUrl })
  for (const task of tasks(config).filter(({ name }) => only === undefined || name === only)) {
    const started = performance.now()
    let runs = 0
    // A task looks at a part at a time and says null when nothing is new.
    while (runs < 1_000 && await task.run(store, 'HL') !== null) runs += 1
    const seconds = (performance.now() - started) / 1_000
    if (runs > 0) { done.push({ name: task.name, runs, seconds }); say(`hyperliquid: task ${task.name}, ${runs} times in ${seconds.toFixed(1)} s`) }
  }
  const judged = await store.query(confusion!, {}, z.object({ role: z.string(), made: z.string(), told: z.string(), traders: z.coerce.number() }))
  for (let quiet = 0; quiet < 5;) {
    const [row] = await store.query('SELECT count() AS count FROM system.merges WHERE database = currentDatabase()', {}, z.object({ count: z.coerce.number() }))
    quiet = row?.count === 0 ? quiet + 1 : 0
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  return { market, seconds: (performance.now() - began) / 1_000, tasks: done, judged }
}
