/** What the venue lets one address do: weight within a sliding minute. A bucket that refills would let twice as much through at its start. */

export interface Budget {
  /** Resolves when `weight` fits into the window, in the order of asking; then it is spent. `patient`: after all that is not, and while a quarter of the window stays free for that; one that has waited for ten seconds is patient no more. */
  take(weight: number, patient?: boolean): Promise<void>
  /** Resolves when `weight` would fit, in the order of asking; nothing is spent. */
  room(weight: number): Promise<void>
  /** Spends what an answer turned out to weigh beside what was taken before. */
  charge(weight: number): void
  /** Nothing is let through for so many milliseconds: the venue said no. */
  hold(milliseconds: number): void
}

export interface Clock { now(): number; wait(milliseconds: number): Promise<void> }
// Whoever has closed everything else does not stay for a question's turn.
export const realClock: Clock = { now: () => performance.now(), wait: (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds).unref() }) }

const patienceMs = 10_000

/** A window of `perMinute` weight. */
export const openBudget = (perMinute: number, clock: Clock = realClock): Budget => {
  const spent: { at: number; weight: number }[] = []
  let heldUntil = 0
  let hurry: Promise<void> = Promise.resolve(), patience: Promise<void> = Promise.resolve(), hurried = 0
  const used = (): number => {
    while (spent[0] !== undefined && spent[0].at <= clock.now() - 60_000) spent.shift()
    return spent.reduce((sum, one) => sum + one.weight, 0)
  }
  /** Resolves to whether it fitted before `until`; then it is spent, unless it only looks. */
  const admit = async (weight: number, most: number, until = Infinity, spends = true): Promise<boolean> => {
    for (;;) {
      const now = clock.now()
      if (now >= until) return false
      if (until < Infinity && hurried > 0) { await Promise.race([hurry, clock.wait(until - now)]); continue }
      if (now < heldUntil) { await clock.wait(Math.min(heldUntil, until) - now); continue }
      // What weighs more than a whole window goes alone.
      if (used() + weight <= most || spent.length === 0) break
      await clock.wait(Math.max(1, Math.min((spent[0]?.at ?? now) + 60_000, until) - now))
    }
    if (spends) spent.push({ at: clock.now(), weight })
    return true
  }
  const next = (weight: number, spends = true): Promise<void> => {
    hurried += 1
    return (hurry = hurry.then(() => admit(weight, perMinute, Infinity, spends)).then(() => undefined).finally(() => { hurried -= 1 }))
  }
  return {
    take: (weight, patient = false) => (patient ? (patience = patience.then(async () => { if (!await admit(weight, perMinute * 0.75, clock.now() + patienceMs)) await next(weight) })) : next(weight)),
    room: (weight) => next(weight, false),
    charge: (weight) => { if (weight > 0) spent.push({ at: clock.now(), weight }) },
    hold: (milliseconds) => { heldUntil = Math.max(heldUntil, clock.now() + milliseconds) },
  }
}

const light = new Set(['l2Book', 'allMids', 'clearinghouseState', 'orderStatus', 'spotClearinghouseState', 'exchangeStatus'])
const perItem: Readonly<Record<string, number>> = {
  recentTrades: 20, historicalOrders: 20, userFills: 20, userFillsByTime: 20, fundingHistory: 20, userFunding: 20, userNonFundingLedgerUpdates: 20, twapHistory: 20, userTwapSliceFills: 20, candleSnapshot: 60,
}

/** Asked for many coins at a time, after a silence: others have their turn before. */
export const isPatient = (type: string): boolean => type === 'recentTrades'
/** Weight of a question before its answer is known. */
export const weightOf = (type: string): number => (type === 'userRole' ? 60 : light.has(type) ? 2 : 20)
/** Weight that `items` in its answer add. */
export const weightOfItems = (type: string, items: number): number => { const each = perItem[type]; return each === undefined ? 0 : Math.floor(items / each) }
