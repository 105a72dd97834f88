/** What was said while nobody listened: asked for by REST, one stretch at a time. Where the answers do not reach back, a gap stays. */
import { messageOf } from '../../../schemas/errors.js'
import { gap } from './buffer.js'
import type { Heard } from './journal.js'
import { busiest, type Volume } from './listing.js'
import type { Marks } from './marks.js'
import { askPages } from './pages.js'
import type { Rest } from './rest.js'
import type { Silence } from './socket.js'
import { beginning } from '../../../schemas/text.js'

/** A silence by our clock, and what had been heard before it by the venue's. */
export interface Stretch { readonly silence: Silence; readonly marks: Marks }
interface Options { coins(): ReadonlySet<string>; /** What was traded of coins in a day, as the venue said last. */ volumes(): ReadonlyMap<string, Volume>; readonly accounts: readonly string[]; learn(trades: Awaited<ReturnType<Rest['info']['recentTrades']>>): void }

/** Channels are not in step: what is heard of one says that another was heard up to so many milliseconds before. */
const stepMs = 5_000, dayMs = 86_400_000
/** Milliseconds our clock may be ahead of the venue's where nothing but our clock is known. */
export const skewMs = 60_000
/** Fills in one answer, and of an account at all, as far as the venue keeps them. */
export const fillsPage = 2_000, fillsKept = 10_000

/** One or more as one, and what was told of them to wait. */
interface Asked extends Stretch { readonly told: readonly Silence[] }
/** Both as one: what the earlier one has to reach back to is enough for the later one too. */
const merge = (one: Asked, other: Asked): Asked => {
  const [first, second] = one.silence.from <= other.silence.from ? [one, other] : [other, one]
  return { ...first, silence: { ...first.silence, to: Math.max(first.silence.to, second.silence.to) }, told: [...one.told, ...other.told] }
}
/** Whether nothing can have been traded of a coin in a silence: nothing was in a day that holds it, be it the last 24 hours or the calendar's. */
const idle = ({ from, to }: Silence, volume: Volume | undefined): boolean => volume?.usd === 0 && volume.at - skewMs >= to && from - skewMs >= volume.at - (volume.at % dayMs)

export const openMissed = ({ coins, volumes, accounts, learn }: Options, rest: Rest, hear: (one: Heard) => void) => {
  let running: Asked | undefined, waiting: Asked | undefined, stopped = false
  const tell = (silence: Silence, channel: string, of: string, state?: 'waits' | 'over'): void => { if (!stopped) hear(gap(silence, channel, of, state)) }
  const failed = (silence: Silence, thrown: unknown): Silence => ({ ...silence, reason: `${silence.reason}; ${beginning(messageOf(thrown), 200)}` })

  const trades = async (coin: string, { silence, marks: { said, trades: heard } }: Stretch): Promise<void> => {
    const answer = await rest.info.recentTrades({ coin })
    learn(answer)
    // A coin that never traded has nothing to miss.
    if (answer.length === 0) return
    const mark = heard.get(coin)
    if (mark === undefined && said === null) { tell(silence, 'trades', coin); return }
    const last = mark?.time ?? (said ?? 0) - stepMs
    if (answer.some(({ time, tid }) => time < last || tid === mark?.tid)) return
    const oldest = Math.min(...answer.map(({ time }) => time))
    const from = said !== null && said < oldest ? said : last
    tell({ ...silence, from, to: Math.max(from, silence.to > from ? Math.min(silence.to, oldest) : oldest) }, 'trades', coin)
  }
  const fills = async (account: string, { silence, marks: { said } }: Stretch): Promise<void> => {
    const from = said === null ? silence.from - skewMs : said - stepMs
    const { items, oldest, newest, stuck } = await askPages((startTime) => rest.info.userFillsByTime({ user: account as `0x${string}`, startTime }), from, fillsPage)
    if (items >= fillsKept) tell({ ...silence, from, to: Math.max(from, oldest) }, 'userFills', account)
    if (stuck) tell({ ...silence, from: newest, to: Math.max(newest, silence.to) }, 'userFills', account)
  }
  const fill = async (stretch: Asked): Promise<void> => {
    // Accounts that are followed are few, and nothing else tells of theirs.
    for (const account of accounts) { if (stopped) return; await fills(account, stretch).catch((thrown: unknown) => { tell(failed(stretch.silence, thrown), 'userFills', account) }) }
    // The most traded have the most to miss, and answers that reach back the least.
    for (const coin of busiest([...coins()], volumes())) { if (stopped) return; if (!idle(stretch.silence, volumes().get(coin))) await trades(coin, stretch).catch((thrown: unknown) => { tell(failed(stretch.silence, thrown), 'trades', coin) }) }
    for (const silence of stretch.told) tell(silence, 'trades', '', 'over')
  }
  const run = async (): Promise<void> => {
    for (; waiting !== undefined && !stopped; running = undefined) {
      running = waiting
      waiting = undefined
      await fill(running)
    }
  }
  return {
    /** Asks for it, after what is asked for already; what waits becomes one with it. Until all of it was asked for, also should this end before, it is a gap. */
    add: (stretch: Stretch): void => {
      const asked = { ...stretch, told: [stretch.silence] }
      tell(stretch.silence, 'trades', '', 'waits')
      waiting = waiting === undefined ? asked : merge(waiting, asked)
      if (running === undefined) void run()
    },
    /** Asks for nothing more. What was not asked to its end stays a gap: the next start looks back no further than to what was heard last. */
    stop: (): void => {
      const left = [running, waiting].filter((one) => one !== undefined)
      for (const { silence } of left) tell({ ...silence, reason: `${silence.reason}; stopped while it was asked for` }, 'all', '')
      stopped = true
    },
  }
}
