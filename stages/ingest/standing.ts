/** Which endpoints of a chain are asked: those that are on it and answer. One that does not is looked at again in the background, and told; nobody waits for it while another is good. */
import { AppError, messageOf } from '../../schemas/errors.js'
import type { HeadAsked } from './heads.js'

export interface Checked extends HeadAsked {
  /** Rejects with WRONG_CHAIN when it is on another chain, RPC_DOWN when it does not answer. Not asked again once it was right, until an outage. */
  check(): Promise<void>
}

/** One endpoint and how it stands. */
export interface Known<One extends Checked> {
  readonly one: One
  /** Until when it is asked last: by a clock that nobody sets, as all times here. One that was set back by an hour must not leave it out for that hour. */
  refusedUntil: number
  /** The same, where it did not answer, refused to, or said what is wrong: what another lacks is not looked for there. */
  shunnedUntil: number
  good: boolean
  checking: Promise<void> | undefined
  /** How often in a row it failed its check or was silent; 0 again when it answers in time. */
  failures: number
  /** Before when it is not checked while another is good. */
  due: number
  told: boolean
  /** The question about heads it has not answered yet. */
  asked: { readonly since: number; readonly done: Promise<void> } | undefined
}

/** Milliseconds an endpoint may take longer than another before it is silent. */
export const usualPatience = 3_000
/** Milliseconds between looks at an endpoint that fails: twice as many each time. */
const firstRest = 1_000, longestRest = 60_000

export interface Standing<One extends Checked> {
  readonly known: readonly Known<One>[]
  /** Endpoints of the right chain; rejects with what is wrong when there is none. */
  usable(): Promise<readonly Known<One>[]>
  /** Those of `entries` that have not been silent, as they are asked for heads; all where there is one. */
  heads(entries: readonly Known<One>[]): readonly HeadAsked[]
  /** After an outage the node behind a name may be another one: it is checked again. So is one that answers no question about heads. */
  doubt(entry: Known<One>): void
}

const ignored = (): void => undefined

/** `tell` is told of endpoints that are not used while others are. */
export const openStanding = <One extends Checked>(asked: readonly One[], patienceMs: number, tell: (reason: string) => void): Standing<One> => {
  const known = asked.map((one): Known<One> => ({ one, refusedUntil: 0, shunnedUntil: 0, good: false, checking: undefined, failures: 0, due: 0, told: false, asked: undefined }))

  const rest = (entry: Known<One>, reason: string): void => {
    entry.good = false
    entry.due = performance.now() + Math.min(longestRest, firstRest * 2 ** entry.failures)
    entry.failures += 1
    if (!entry.told && known.length > 1) tell(reason)
    entry.told = true
  }
  const silence = (entry: Known<One>): void => { rest(entry, `${entry.one.name} does not answer while others do: it is not waited for`) }
  const isBack = (entry: Known<One>): void => {
    entry.failures = 0
    if (entry.told && known.length > 1) tell(`${entry.one.name} answers again`)
    entry.told = false
  }

  const doubt = (entry: Known<One>): void => { entry.good = false }

  const check = (entry: Known<One>): Promise<void> => {
    entry.checking ??= entry.one.check().then(() => { entry.good = true }, (thrown: unknown) => {
      rest(entry, messageOf(thrown).split('\n')[0] ?? '')
      throw thrown
    }).finally(() => { entry.checking = undefined })
    entry.checking.catch(ignored)
    return entry.checking
  }

  /** A question about heads: the next waits for it, so that one who is silent is asked once and no answer is older than its question. */
  const ask = <Value>(entry: Known<One>, question: () => Promise<Value>): Promise<Value> => {
    const since = entry.asked?.since ?? performance.now()
    const answer = (entry.asked?.done ?? Promise.resolve()).then(question)
    const done = answer.then(() => { if (performance.now() - since < patienceMs) isBack(entry) }, (thrown: unknown) => { if (thrown instanceof AppError && thrown.code === 'RPC_DOWN') doubt(entry) })
    const mine = { since, done }
    entry.asked = mine
    void done.then(() => { if (entry.asked === mine) entry.asked = undefined })
    return answer
  }

  return {
    known,
    usable: async () => {
      const none = known.every(({ good }) => !good)
      // Those that failed before are looked at and not waited for; but the first to come back does not speak for all.
      const fresh = known.filter(({ good, failures }) => !good && (none || failures === 0))
      const checks = known.filter(({ good, due }) => !good && (none || performance.now() >= due)).map(check)
      if (none) await Promise.any(checks).catch((thrown: unknown) => { throw (thrown as AggregateError).errors[0] ?? new AppError('RPC_DOWN', 'No endpoint answers', { retry: 'wait' }) })
      const waited = fresh.flatMap(({ checking }) => (checking === undefined ? [] : [checking]))
      if (waited.length > 0) {
        let timer: NodeJS.Timeout | undefined
        await Promise.race([Promise.allSettled(waited), new Promise((resolve) => { timer = setTimeout(resolve, patienceMs) })])
        clearTimeout(timer)
        for (const entry of fresh) if (!entry.good && entry.failures === 0) silence(entry)
      }
      const usable = known.filter(({ good }) => good)
      // All may have been doubted since, while one of them was looked at.
      if (usable.length === 0) throw new AppError('RPC_DOWN', `No endpoint answers: ${known.map(({ one }) => one.name).join(', ')}`, { retry: 'wait' })
      return usable
    },
    heads: (entries) => {
      const late = entries.length > 1 ? entries.filter((entry) => entry.asked !== undefined && performance.now() - entry.asked.since >= patienceMs) : []
      const silent = late.length < entries.length ? late : []
      silent.forEach(silence)
      return entries.filter((entry) => !silent.includes(entry)).map((entry) => ({ name: entry.one.name, latest: () => ask(entry, () => entry.one.latest()), at: (number) => ask(entry, () => entry.one.at(number)) }))
    },
    doubt,
  }
}
