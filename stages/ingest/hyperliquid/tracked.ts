/** Positions and money of accounts that are worth a look, asked for one after the other: the socket lets few accounts be followed, questions let many be looked at. */
import { messageOf } from '../../../schemas/errors.js'
import { weightOf } from './budget.js'
import { named, stateOf } from './dexes.js'
import { askPages } from './pages.js'
import type { Rest } from './rest.js'

export interface Tracked {
  /** Whom to ask about in the next round, 0x and 40 hex digits. */
  accounts(): Promise<readonly string[]>
  /** Whom to ask what they are, `atOnce` at most and none of those asked `lately`. */
  roles(lately: readonly string[], atOnce: number): Promise<readonly string[]>
  /** Dexes whose coins are heard, the venue's own first. */
  dexes(): readonly string[]
  /** Weight of all questions in a minute; a quarter of it is for these. */
  readonly perMinute: number
}

const minute = 60_000, hour = 60 * minute
/** Entries in one answer about what came in and went out, and accounts asked about it in a round; what accounts are weighs thirty times what they hold. */
const page = 500, ledgersAtOnce = 3, rolesAtOnce = 2
/** Milliseconds from one of a round's questions to the next: a round takes a minute, or as long as a quarter of the weight makes it. */
export const trackGapMs = (questions: number, perMinute: number, type = 'clearinghouseState'): number => Math.max(minute / Math.max(1, questions), (minute * weightOf(type)) / (perMinute / 4))

/** One question of a round: what it asks about, in words, and how it weighs. */
interface Turn { readonly name: string; readonly type: string; ask(): Promise<unknown> }

/** Starts asking: in each round about all on the venue's own dex and on one of the others in turn, about the money of a few, each once an hour, and what a few others are; `warn` is told what fails, and the next one has its turn. `speed`: how many times faster than is due, for tests. */
export const openTracked = ({ accounts, roles, dexes, perMinute }: Tracked, { info }: Rest, warn: (reason: string) => void, speed = 1): { close(): void } => {
  let closed = false, timer: NodeJS.Timeout | undefined
  let round: Turn[] = [], questions = 0, gap = minute, rounds = 0
  /** When each was asked about its money (by a clock that nobody sets, as all that is due here), and up to when it was told of it. */
  const ledgers = new Map<string, { readonly at: number; readonly told: number }>()
  /** When each was asked what it is: an answer is kept once it has landed, and who refused is asked again after an hour. */
  const roled = new Map<string, number>()

  const state = (user: string, dex: string): Turn => { const about = stateOf(user, dex); return { name: named(about), type: 'clearinghouseState', ask: () => info.clearinghouseState(about) } }
  const ledger = (user: string): Turn => ({ name: `money of ${user}`, type: 'userNonFundingLedgerUpdates', ask: async () => {
    const { told = 0 } = ledgers.get(user) ?? {}
    ledgers.set(user, { at: performance.now(), told })
    const { newest } = await askPages((startTime) => info.userNonFundingLedgerUpdates({ user: user as `0x${string}`, startTime }), told, page)
    ledgers.set(user, { at: performance.now(), told: Math.max(told, newest) })
  } })
  const role = (user: string): Turn => ({ name: `what ${user} is`, type: 'userRole', ask: () => info.userRole({ user: user as `0x${string}` }) })
  const next = async (): Promise<Turn[]> => {
    const [own = '', ...others] = dexes(), other = others[rounds % Math.max(1, others.length)]
    for (const [user, at] of roled) if (performance.now() - at >= hour) roled.delete(user)
    const [users, unroled] = await Promise.all([accounts(), roles([...roled.keys()], rolesAtOnce)])
    for (const user of unroled) roled.set(user, performance.now())
    rounds += 1
    for (const user of ledgers.keys()) if (!users.includes(user)) ledgers.delete(user)
    const due = users.filter((user) => performance.now() - (ledgers.get(user)?.at ?? -Infinity) >= hour / speed).slice(0, ledgersAtOnce)
    return [...users.flatMap((user) => [state(user, own), ...(other === undefined ? [] : [state(user, other)])]), ...due.map(ledger), ...unroled.map(role)]
  }
  const one = async (): Promise<void> => {
    if (round.length === 0) {
      // Nobody to ask about, or nobody who says whom: looked at again in a minute.
      gap = minute
      round = await next()
      questions = round.length
    }
    const turn = round.shift()
    if (turn === undefined || closed) return
    gap = trackGapMs(questions, perMinute, turn.type)
    await turn.ask().catch((thrown: unknown) => { throw new Error(`${turn.name}: ${messageOf(thrown)}`, { cause: thrown }) })
  }
  const step = (): void => {
    const due = performance.now()
    one().catch((thrown: unknown) => { if (!closed) warn(messageOf(thrown)) }).finally(() => {
      // What an answer took is part of the wait: a round stays as long as it is meant to be.
      if (!closed) timer = setTimeout(step, Math.max(0, due + gap / speed - performance.now()))
    })
  }
  step()
  return { close: () => { closed = true; clearTimeout(timer) } }
}
