/** The same questions to Postgres, over the same movements; every answer is compared with ours. */
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { median } from '../figures.js'
import { differenceOf } from './agree.js'
import { addressesFor, asks } from './ask.js'
import { loadPostgres } from './postgresStore.js'
import { postgresQuestions, type Covered } from './postgresQuestions.js'
import { questions, type Question } from './questions.js'

export interface PostgresFigure { readonly version: string; readonly seconds: number; readonly bytesPerTransfer: number; /** Milliseconds, medians, by question. */ readonly medians: Readonly<Record<string, number>>; /** Answers that were compared. */ readonly agreed: number }

/** Of the slow ones so many are asked; the first brings the rows into memory and does not count. */
const slowAsks = 4
const Window = z.object({ indexed: z.object({ first_block: z.number(), last_block: z.number() }) })

/** Our answer, and what it covers. */
const askOurs = async (url: string, key: string, path: string): Promise<{ readonly answer: unknown; readonly covered: Covered }> => {
  const response = await fetch(url + path, { headers: { 'X-API-Key': key } }), answer: unknown = await response.json()
  if (response.status !== 200) throw new Error(`bench: ${path} answered ${response.status}`)
  const header = response.headers.get('x-window')
  const window = Window.safeParse(header === null ? (answer as { window?: unknown }).window : JSON.parse(header))
  return { answer, covered: window.success ? { first: window.data.indexed.first_block, last: window.data.indexed.last_block } : { first: 0, last: Number.MAX_SAFE_INTEGER } }
}

/** Rejects where Postgres is not installed, when it refuses a row, and when an answer of it is not ours. */
export const benchPostgres = async (store: Store, api: { readonly url: string; readonly key: string }, count: number, addresses: readonly string[], say: (text: string) => void): Promise<PostgresFigure> => {
  const { session, version, seconds, bytesPerTransfer, stop } = await loadPostgres(store, count, say)
  try {
    const medians: Record<string, number> = {}
    let agreed = 0
    const measure = async ({ name, path, times = 0 }: Question): Promise<number | null> => {
      const asked = postgresQuestions[name], slow = times > 1, taken: number[] = []
      if (asked === undefined) return null
      for (let n = 0; n < (slow ? slowAsks : asks); n += 1) {
        const address = addressesFor(addresses, n), { answer, covered } = await askOurs(api.url, api.key, path(n, address))
        const statement = asked.statement({ ...covered, n, address })
        // Warm, as ours are: what is looked up once is asked twice.
        if (!slow) await session.ask(statement)
        const started = performance.now()
        const theirs = await session.ask(statement)
        if (!slow || n > 0) taken.push(performance.now() - started)
        const difference = differenceOf(asked.lines(answer), theirs)
        if (difference !== null) throw new Error(`bench: Postgres answers '${name}' (${path(n, address)}) otherwise; ${difference}`)
        agreed += 1
      }
      return median(taken)
    }
    for (const question of questions) {
      const taken = await measure(question)
      if (taken === null) continue
      medians[question.name] = taken
      say(`history: Postgres, ${question.name}: ${taken.toFixed(1)} ms`)
    }
    return { version, seconds, bytesPerTransfer, medians, agreed }
  } finally { await stop() }
}
