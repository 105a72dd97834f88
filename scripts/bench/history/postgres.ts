/** The same questions to Postgres, over the same movements; every answer is compared with ours. */
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { median } from '../figures.js'
import { differenceOf } from './agree.js'
import { addressesFor, asks } from './ask.js'
import { loadPostgres } from './postgresStore.js'
import { postgresQuestions, type Covered } from './postgresQuestions.js'
import { questions, type Question } from './questions.js'

export interface PostgresFigure { readonly version: string; readonly seconds: number; readonly bytesPerTransfer: number; /** Milliseconds, medians, by question. */ readonly medians: Readonly<Record<string, number>>; /** The same of the busiest addresses. */ readonly busiest: Readonly<Record<string, number>>; /** Answers that were compared. */ readonly agreed: number }

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

/** Rejects where Postgres is not installed, when it refuses a row, and when an answer of it is not ours, but for what ours says it leaves out. */
export const benchPostgres = async (store: Store, api: { readonly url: string; readonly key: string }, count: number, addresses: { readonly any: readonly string[]; readonly busiest: readonly string[] }, say: (text: string) => void): Promise<PostgresFigure> => {
  const { session, version, seconds, bytesPerTransfer, stop } = await loadPostgres(store, count, say)
  try {
    const medians: Record<string, number> = {}, busiest: Record<string, number> = {}
    let agreed = 0
    const measure = async ({ name, path, times = 0 }: Question, about: readonly string[], most = asks): Promise<number | null> => {
      const asked = postgresQuestions[name], slow = times > 1, taken: number[] = []
      if (asked === undefined) return null
      for (let n = 0; n < (slow ? slowAsks : most); n += 1) {
        const address = addressesFor(about, n), { answer, covered } = await askOurs(api.url, api.key, path(n, address))
        const statement = asked.statement({ ...covered, n, address })
        // Warm, as ours are: what is looked up once is asked twice.
        if (!slow) await session.ask(statement)
        const started = performance.now()
        const theirs = await session.ask(statement)
        if (!slow || n > 0) taken.push(performance.now() - started)
        if (asked.isWhole?.(answer) === false) continue
        const difference = differenceOf(asked.lines(answer), theirs)
        if (difference !== null) throw new Error(`bench: Postgres answers '${name}' (${path(n, address)}) otherwise; ${difference}`)
        agreed += 1
      }
      return median(taken)
    }
    for (const question of questions) {
      const taken = await measure(question, addresses.any)
      if (taken === null) continue
      medians[question.name] = taken
      const most = question.path.length > 1 ? await measure(question, addresses.busiest, addresses.busiest.length) : null
      if (most !== null) busiest[question.name] = most
      say(`history: Postgres, ${question.name}: ${taken.toFixed(1)} ms${most === null ? '' : `; busiest addresses ${most.toFixed(0)}`}`)
    }
    return { version, seconds, bytesPerTransfer, medians, busiest, agreed }
  } finally { await stop() }
}
