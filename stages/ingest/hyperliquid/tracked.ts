/** Positions of the leaderboard's accounts, asked for one after the other: the socket lets few accounts be followed, questions let many be looked at. */
import { messageOf } from '../../../schemas/errors.js'
import { weightOf } from './budget.js'
import { named, stateOf } from './dexes.js'
import type { Rest } from './rest.js'

export interface Tracked {
  /** Whom to ask about in the next round, 0x and 40 hex digits. */
  accounts(): Promise<readonly string[]>
  /** Dexes whose coins are heard, the venue's own first. */
  dexes(): readonly string[]
  /** Weight of all questions in a minute; a quarter of it is for these. */
  readonly perMinute: number
}

const minute = 60_000
/** Milliseconds from one of a round's questions to the next: a round takes a minute, or as long as a quarter of the weight makes it. */
export const trackGapMs = (questions: number, perMinute: number): number => Math.max(minute / Math.max(1, questions), (minute * weightOf('clearinghouseState')) / (perMinute / 4))

/** Starts asking: in each round about all on the venue's own dex and on one of the others in turn; `warn` is told what fails, and the next one has its turn. `speed`: how many times faster than is due, for tests. */
export const openTracked = ({ accounts, dexes, perMinute }: Tracked, { info }: Rest, warn: (reason: string) => void, speed = 1): { close(): void } => {
  let closed = false, timer: NodeJS.Timeout | undefined
  let round: ReturnType<typeof stateOf>[] = [], gap = minute, rounds = 0

  const one = async (): Promise<void> => {
    if (round.length === 0) {
      // Nobody to ask about, or nobody who says whom: looked at again in a minute.
      gap = minute
      const [own = '', ...others] = dexes(), other = others[rounds % Math.max(1, others.length)]
      round = (await accounts()).flatMap((user) => [stateOf(user, own), ...(other === undefined ? [] : [stateOf(user, other)])])
      rounds += 1
      if (round.length > 0) gap = trackGapMs(round.length, perMinute)
    }
    const state = round.shift()
    if (state === undefined || closed) return
    await info.clearinghouseState(state).catch((thrown: unknown) => { throw new Error(`${named(state)}: ${messageOf(thrown)}`, { cause: thrown }) })
  }
  const step = (): void => {
    const due = Date.now()
    one().catch((thrown: unknown) => { if (!closed) warn(messageOf(thrown)) }).finally(() => {
      // What an answer took is part of the wait: a round stays as long as it is meant to be.
      if (!closed) timer = setTimeout(step, Math.max(0, due + gap / speed - Date.now()))
    })
  }
  step()
  return { close: () => { closed = true; clearTimeout(timer) } }
}
