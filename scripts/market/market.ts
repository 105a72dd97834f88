/** A made market: prices, traders of every style, makers, their trades, fills, funding and money, worked out in ClickHouse from a seed. */
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { loadSql } from '../../schemas/sql.js'

const sql = (name: string) => loadSql(import.meta.url, `${name}.sql`)
const [tables, coins, prices, traders, trips, trades, fills, rates, payments, flows] = ['tables', 'coins', 'prices', 'traders', 'trips', 'trades', 'fills', 'rates', 'payments', 'flows'].map(sql)
const [lines, saidFills, saidMarket, saidAccounts, saidLeaders, land] = ['lines', 'said_fills', 'said_market', 'said_accounts', 'said_leaders', 'land'].map(sql)

export interface MarketOptions {
  readonly seed: number; readonly traders: number
  /** Days of it, and its end in Unix milliseconds; a longer one of the same begin opens the same way. */
  readonly days: number; readonly until: number
  /** Makers one order meets at most: more of them make more fills. */
  readonly slices?: number
  /** Without: no payments of funding. */
  readonly funding?: boolean
}
export interface Market { readonly seed: number; readonly begin: number; readonly minutes: number; readonly traders: number; readonly makers: number; readonly fills: number; readonly trades: number }

const names = ['coins', 'prices', 'traders', 'trips', 'trades', 'fills', 'rates', 'payments', 'flows', 'said', 'lines'] as const
const Count = z.object({ count: z.coerce.number() })

/** Removes what was worked out; what was said of it stays. */
export const dropMarket = async (store: Store): Promise<void> => { for (const name of names) await store.execute('DROP TABLE IF EXISTS {table:Identifier} SYNC', { table: `made_${name}` }) }

/** Works a market out into tables made_* of `store`; `say` hears how far it is. Two thousand traders at a time. */
export const makeMarket = async (store: Store, { seed, traders: count, days, until, slices = 1, funding = true }: MarketOptions, say: (text: string) => void = () => undefined): Promise<Market> => {
  await dropMarket(store)
  const minutes = Math.round(days * 1_440), begin = until - minutes * 60_000, makers = Math.max(2, Math.ceil(count / 40))
  const common = { seed, begin, minutes, traders: count, makers, slices }
  for (const statement of tables!.text.split(';')) await store.execute(statement)
  await store.execute(lines!)
  await store.execute(coins!)
  await store.execute(prices!, common)
  await store.execute(traders!, common)
  const piece = 2_000
  for (let from = 0; from < count; from += piece) {
    const part = { ...common, from, to: Math.min(count, from + piece) }
    await store.execute(trips!, part)
    await store.execute(trades!, part)
    say(`market: trades of ${part.to} of ${count} traders …`)
  }
  await store.execute(rates!, common)
  const parts = Math.max(1, Math.ceil(count / 1_250))
  for (let part = 0; part < parts; part += 1) {
    await store.execute(fills!, { ...common, part, parts })
    if (funding) await store.execute(payments!, { ...common, part, parts })
    if (part % 4 === 3) say(`market: fills of ${part + 1} of ${parts} parts …`)
  }
  await store.execute(flows!, common)
  const countOf = async (table: string): Promise<number> => (await store.query('SELECT count() AS count FROM {table:Identifier}', { table }, Count))[0]?.count ?? 0
  return { seed, begin, minutes, traders: count, makers, fills: await countOf('made_fills'), trades: await countOf('made_trades') }
}

/** What the venue of the market says, into made_said: fills of all (unless they are not told), answers about coins, about the `asked` busiest accounts, and the leaderboard. */
export const sayMarket = async (store: Store, { begin, minutes, fills: count }: Market, { asked = 10, fills: told = true } = {}): Promise<void> => {
  const until = begin + minutes * 60_000, step = Math.ceil((until - begin) / Math.ceil(count / 200_000))
  for (let from = begin; told && from < until; from += step) await store.execute(saidFills!, { begin, from, to: Math.min(until, from + step) })
  await store.execute(saidMarket!, { begin, minutes })
  await store.execute(saidAccounts!, { begin, minutes, asked })
  await store.execute(saidLeaders!, { begin, minutes })
}

const Segments = z.object({ first: z.coerce.number(), last: z.coerce.number() })

/** Puts what was said, or what of it was after a moment (Unix milliseconds), into raw_payloads as about `segments` segments for all of it from `first` on, above the one with hash `parent` (64 hex); resolves to their numbers. */
export const landMarket = async (store: Store, { begin, minutes }: Market, segments: number, first = 1, parent = '0'.repeat(64), after = 0): Promise<{ first: number; last: number }> => {
  await store.execute(land!, { first, parent, begin, after, span: Math.ceil(minutes * 60_000 / segments) })
  const [row] = await store.query("SELECT min(number) AS first, max(number) AS last FROM raw_payloads WHERE chain = 'HL' AND number >= {first:UInt64} AND endpoint = 'synthetic'", { first }, Segments)
  return row ?? { first, last: first }
}
