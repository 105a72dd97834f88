/** What can be changed while the node runs (POST /control), and what it has counted (GET /control). */
import type { Dice, Faults } from './faults.js'

/** `forkAt`: another branch from that height on. `advanceMs` 0 stops the head. */
export interface Change { readonly head?: number; readonly advanceMs?: number; readonly latencyMs?: number; readonly faults?: Faults; readonly forkAt?: number }

/** What a chain that is served has of its own. */
export interface Served { readonly first: number; readonly last: number; /** Another branch from a height on; false where the chain cannot fork. */ fork(height: number): boolean }

export interface Control {
  readonly dice: Dice
  readonly latencyMs: number
  readonly counters: { requests: number; bytes: number; readonly calls: Record<string, number> }
  /** Height of the newest block that is shown. */
  head(): number
  count(method: string): void
  change(change: Change): void
  state(): object
  stop(): void
}

/** `chainId` is told by `state`. */
export const openControl = (chain: Served, start: { chainId: number | string; head: number; latencyMs: number; dice: Dice; /** Called with every other height that the head moves to. */ tell?: (head: number) => void }): Control => {
  const { chainId, dice, tell } = start
  let { head, latencyMs } = start
  let timer: NodeJS.Timeout | undefined
  const counters = { requests: 0, bytes: 0, calls: {} as Record<string, number> }
  const within = (height: number): number => Math.min(Math.max(height, chain.first), chain.last)
  const setHead = (height: number): void => {
    const before = head
    head = within(height)
    if (head !== before) tell?.(head)
  }
  head = within(head)
  return {
    dice, counters,
    get latencyMs() { return latencyMs },
    head: () => head,
    count: (method) => { counters.calls[method] = (counters.calls[method] ?? 0) + 1 },
    change: (change) => {
      if (change.forkAt !== undefined && !chain.fork(change.forkAt)) throw new Error('only renumbered chains can fork')
      if (change.head !== undefined) setHead(change.head)
      if (change.latencyMs !== undefined) latencyMs = change.latencyMs
      if (change.faults !== undefined) dice.rates = change.faults
      if (change.advanceMs === undefined) return
      clearInterval(timer)
      timer = change.advanceMs > 0 ? setInterval(() => { setHead(head + 1) }, change.advanceMs) : undefined
    },
    state: () => ({ chainId, first: chain.first, last: chain.last, head, latencyMs, faults: dice.rates, struck: dice.count, ...counters }),
    stop: () => { clearInterval(timer) },
  }
}
