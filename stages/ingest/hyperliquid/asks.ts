/** What no stream says, asked for again and again: slowly, and one question at a time, so that what was missed is never behind more than one of them. */
import { messageOf } from '../../../schemas/errors.js'
import { askHistory } from './history.js'
import { dexesOf, named, stateOf } from './dexes.js'
import type { Heard } from './journal.js'
import { askPages } from './pages.js'
import type { Rest } from './rest.js'

export interface Before {
  /** When something was heard last before this start, Unix milliseconds; null: never. */
  readonly heardLast: number | null
  /** Of the accounts those whose fills from before have yet to be asked for, lower case. */
  readonly unasked: readonly string[]
  /** Coins of which rates of long enough are known. */
  readonly rated: ReadonlySet<string>
}
export interface Asks {
  coins(): ReadonlySet<string>
  readonly books: readonly string[]; readonly accounts: readonly string[]
  readonly before: Before
  /** Is told what lacks of what was asked for. */
  hear(one: Heard): void
}
type Account = `0x${string}`

const minute = 60_000, hour = 60 * minute, day = 24 * hour
/** What is asked back the first time: as many rates as unusual funding is told by, and payments of as long as traders are judged by. */
const ratesBack = 30 * day, paymentsBack = 90 * day
/** Entries in one answer about a stretch of time, fills and candles apart. */
const page = 500
/** The venue's own vault; those below it, the liquidator's among them, are in its details. */
const ownVault: Account = '0xdfc24b077bc1425ad1dea75bcb6f8158e10df303'

/** Starts asking; `warn` is told what fails. `speed`: how many times faster than is due, for tests. The leaderboard is asked for in leaderboard.ts: another host has it, and no call of the client. */
export const openAsks = ({ coins, books, accounts, before: { heardLast, unasked, rated }, hear }: Asks, rest: Rest, warn: (reason: string) => void, speed = 1): { close(): void } => {
  const { info } = rest
  const timers = new Set<NodeJS.Timeout>()
  let closed = false
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    const mine = turn.then(() => { if (closed) throw new Error('nothing more is asked'); return ask() })
    turn = mine.catch(() => undefined)
    return mine
  }
  /** What fails of a question, or of the questions `what` about somebody, and when that was told: the same is told again after an hour, or when it has been answered since. */
  const failing = new Map<string, { readonly reason: string; readonly at: number }>()
  const tell = (key: string, whom: string, thrown: unknown): void => {
    const reason = messageOf(thrown), last = failing.get(key), at = performance.now()
    if (closed || (last?.reason === reason && at - last.at < hour / speed)) return
    failing.set(key, { reason, at })
    warn(`${whom}${reason}`)
  }
  /** Asks about each; one that fails leaves the others theirs. */
  const each = async <One>(what: string, whom: Iterable<One>, ask: (one: One) => Promise<unknown>, name: (one: One) => string = String): Promise<void> => {
    for (const one of whom) {
      const key = `${what} ${name(one)}`
      await ask(one).then(() => { failing.delete(key) }, (thrown: unknown) => { tell(key, `${name(one)}: `, thrown) })
    }
  }
  let questions = 0
  const often = (milliseconds: () => number, ask: () => Promise<unknown>, key = `question ${questions += 1}`): void => {
    ask().then(() => { failing.delete(key) }, (thrown: unknown) => { tell(key, '', thrown) }).finally(() => {
      if (closed) return
      const timer = setTimeout(() => { timers.delete(timer); often(milliseconds, ask, key) }, milliseconds() / speed)
      timers.add(timer)
    })
  }
  // How far each was told by the venue's clock. What nothing was told of starts where the last silence did, with room for clocks that differ.
  const told = new Map<string, number>()
  const since = (key: string, roomMs: number, firstMs = 0): number => told.get(key) ?? Math.min((heardLast ?? Date.now()) - roomMs, Date.now() - firstMs)
  const upTo = (key: string, time: number): void => { if (time > (told.get(key) ?? 0)) told.set(key, time) }

  const funding = (coin: string): Promise<void> => askPages((startTime) => inTurn(() => info.fundingHistory({ coin, startTime })), since(`funding ${coin}`, 2 * hour, rated.has(coin) ? 0 : ratesBack), page).then(({ newest }) => { upTo(`funding ${coin}`, newest + 1) })
  const ledger = (user: string): Promise<void> => askPages((startTime) => inTurn(() => info.userNonFundingLedgerUpdates({ user: user as Account, startTime })), told.get(`ledger ${user}`) ?? 0, page).then(({ newest }) => { upTo(`ledger ${user}`, newest) })
  // The socket says what is paid while it is heard; what was paid meanwhile is asked for.
  const paid = (user: string, backMs = 0): Promise<void> => askPages((startTime) => inTurn(() => info.userFunding({ user: user as Account, startTime })), since(`paid ${user}`, 2 * hour, backMs), page).then(({ newest }) => { upTo(`paid ${user}`, newest) })
  // The last candle is open: it is asked for once more.
  const candles = async (coin: string): Promise<void> => { for (const { t } of await inTurn(() => info.candleSnapshot({ coin, interval: '1h', startTime: since(`candles ${coin}`, 2 * day) }))) upTo(`candles ${coin}`, t) }
  const vaults = async (): Promise<void> => {
    await inTurn(() => info.vaultSummaries())
    const own = await inTurn(() => info.vaultDetails({ vaultAddress: ownVault }))
    if (own?.relationship.type === 'parent') await each('vault', own.relationship.data.childAddresses, (vaultAddress) => inTurn(() => info.vaultDetails({ vaultAddress })))
  }
  // Rates are paid once an hour: coins without a book one after the other, over an hour.
  const listedBooks = (): string[] => books.filter((coin) => coins().has(coin))
  let round: string[] = []
  const nextFunding = async (): Promise<void> => {
    if (round.length === 0) round = [...coins()].filter((coin) => !books.includes(coin))
    const coin = round.shift()
    if (coin !== undefined && coins().has(coin)) await each('funding', [coin], funding)
  }

  // Of whom fills from before are asked for, payments of as long are too, before it counts as done.
  const left = new Set(unasked)
  const history = (user: string): Promise<unknown> => askHistory(user, (startTime) => inTurn(() => info.userFillsByTime({ user: user as Account, startTime })), () => paid(user, paymentsBack), hear).then(() => left.delete(user))

  // Each dex keeps margin and positions of its own; those whose coins are heard are asked, the venue's own first.
  often(() => minute, () => each('state', accounts.flatMap((user) => dexesOf(coins()).map((dex) => stateOf(user, dex))), (state) => inTurn(() => info.clearinghouseState(state)), named))
  often(() => 5 * minute, () => inTurn(() => info.predictedFundings()))
  often(() => 5 * minute, () => each('funding', listedBooks(), funding))
  often(() => hour / Math.max(1, coins().size), nextFunding)
  often(() => 10 * minute, () => each('ledger', accounts, ledger))
  often(() => hour, () => each('paid', accounts.map((user) => user.toLowerCase()).filter((user) => !left.has(user)), paid))
  often(() => 10 * minute, () => each('history', [...left], history))
  often(() => hour, () => each('candles', listedBooks(), candles))
  often(() => hour, () => inTurn(() => info.perpDexs()))
  often(() => hour, vaults)
  often(() => 6 * hour, () => each('role', accounts, (user) => inTurn(() => info.userRole({ user: user as Account }))))
  return { close: () => { closed = true; for (const timer of timers) clearTimeout(timer) } }
}
