/** The venue of a made market over REST and WebSocket: answers for the replay venue (its option `answer`), in the venue's shapes. */
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { loadSql } from '../../schemas/sql.js'
import type { Market } from './market.js'

const answers = loadSql(import.meta.url, 'answers.sql')
const Row = z.object({ type: z.string(), coin: z.string(), user: z.string(), payload: z.string() })
type Question = Readonly<Record<string, unknown>>

/** Answers to questions about what is made, once it was said (sayMarket); undefined: nothing is made of that. */
export const marketAnswers = async (store: Store, { begin, minutes }: Market): Promise<{ answer: (asked: Question) => unknown; coins: string[]; accounts: string[] }> => {
  const rows = await store.query(answers, { begin, until: begin + minutes * 60_000 }, Row)
  const parts = new Map<string, string[]>()
  const keyOf = (type: unknown, coin: unknown, user: unknown): string => [type, coin ?? '', typeof user === 'string' ? user.toLowerCase() : ''].join('|')
  for (const { type, coin, user, payload } of rows) parts.set(keyOf(type, coin, user), [...parts.get(keyOf(type, coin, user)) ?? [], payload])
  const answer = (asked: Question): unknown => {
    const { type, coin, user, req } = asked
    const found = parts.get(keyOf(type === 'userFillsByTime' ? 'userFills' : type, coin ?? (req as Question | undefined)?.['coin'], user))?.map((text) => JSON.parse(text) as unknown)
    if (found === undefined && type === 'userRole' && parts.has(keyOf('clearinghouseState', '', user))) return { role: 'user' }
    if (found === undefined || found.length < 2) return found?.[0]
    return found.flat()
  }
  const of = (type: string, field: 'coin' | 'user'): string[] => rows.filter((row) => row.type === type).map((row) => row[field])
  return { answer, coins: of('l2Book', 'coin'), accounts: of('clearinghouseState', 'user') }
}
