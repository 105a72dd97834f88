/** What of the coins has room among the subscriptions that the venue takes: trades come before contexts, perps of its own dex before others, those before spot. */
import { kindOf, type Kind } from './listing.js'

/** Subscriptions of one address. */
const most = 1_000

export interface Chosen { readonly coins: ReadonlySet<string>; readonly contexts: ReadonlySet<string>; /** What has no room; '': all has. */ readonly left: string }
const kinds: readonly Kind[] = ['perps', 'HIP-3', 'spot']

/** Chooses among `coins`, of a kind those first that were chosen `before`, then in their order: what is heard stays heard while it is listed. */
export const choose = (coins: ReadonlySet<string>, before: Chosen, books: readonly string[], accounts: number, room = most): Chosen => {
  const of = (kind: Kind, kept: ReadonlySet<string>): string[] => { const all = [...coins].filter((coin) => kindOf(coin) === kind); return [...all.filter((coin) => kept.has(coin)), ...all.filter((coin) => !kept.has(coin))] }
  // Middle prices are one subscription; fills and funding of an account are two.
  let free = Math.max(0, room - 1 - 2 * accounts - books.filter((coin) => coins.has(coin)).length)
  const take = (wanted: readonly string[]): string[] => { const taken = wanted.slice(0, free); free -= taken.length; return taken }
  const chosen = { coins: new Set<string>(), contexts: new Set<string>() }
  const add = (set: Set<string>, taken: readonly string[]): void => { for (const coin of taken) set.add(coin) }
  add(chosen.coins, take(of('perps', before.coins)))
  add(chosen.contexts, take(of('perps', before.contexts).filter((coin) => chosen.coins.has(coin))))
  for (const kind of ['HIP-3', 'spot'] as const) add(chosen.coins, take(of(kind, before.coins)))
  for (const kind of ['HIP-3', 'spot'] as const) add(chosen.contexts, take(of(kind, before.contexts).filter((coin) => chosen.coins.has(coin))))
  const lacks = (what: string, set: ReadonlySet<string>): string[] => kinds.flatMap((kind) => { const number = of(kind, set).filter((coin) => !set.has(coin)).length; return number === 0 ? [] : [`${what} of ${number} coins (${kind})`] })
  const left = [...lacks('trades', chosen.coins), ...lacks('contexts', chosen.contexts)]
  return { ...chosen, left: left.length === 0 ? '' : `${left.join(', ')} are not heard: the venue takes ${room} subscriptions` }
}
export const nothing: Chosen = { coins: new Set(), contexts: new Set(), left: '' }
