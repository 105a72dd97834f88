/** Positions of the leaderboard's accounts, asked for one after the other: the socket lets few accounts be followed, questions let many be looked at. */
import { messageOf } from '../../../schemas/errors.js'
import { weightOf } from './budget.js'
import type { Rest } from './rest.js'

type Account = `0x${string}`
export interface Tracked {
  /** Whom to ask about in the next round, 0x and 40 hex digits. */
  accounts(): Promise<readonly string[]>
  /** Weight of all questions in a minute; a quarter of it is for these. */
  readonly perMinute: number
}

const minute = 60_000
/** Milliseconds from one question to the next where `accounts` are asked about: each once a minute, or as often as a quarter of the weight lets. */
export const trackGapMs = (accounts: number, perMinute: number): number => Math.max(minute / Math.max(1, accounts), (minute * weightOf('clearinghouseState')) / (perMinute / 4))

/** Starts asking; `warn` is told what fails, and the next one has its turn. `speed`: how many times faster than is due, for tests. */
export const openTracked = ({ accounts, perMinute }: Tracked, { info }: Rest, warn: (reason: string) => void, speed = 1): { close(): void } => {
  let closed = false, timer: NodeJS.Timeout | undefined
  let round: string[] = [], gap = minute

  const one = async (): Promise<void> => {
    if (round.length === 0) {
      // Nobody to ask about, or nobody who says whom: looked at again in a minute.
      gap = minute
      round = [...await accounts()]
      if (round.length > 0) gap = trackGapMs(round.length, perMinute)
    }
    const account = round.shift()
    if (account === undefined || closed) return
    await info.clearinghouseState({ user: account as Account }).catch((thrown: unknown) => { throw new Error(`${account}: ${messageOf(thrown)}`, { cause: thrown }) })
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
