/** Which coins are heard: what the venue lists and has not taken down; of coins that were named, those of them that it has. */
import { messageOf } from '../../../schemas/errors.js'
import type { Rest } from './rest.js'

interface Listed { readonly name: string; readonly isDelisted?: boolean | null }
const namesOf = (universe: readonly Listed[]): string[] => universe.filter(({ isDelisted }) => isDelisted !== true).map(({ name }) => name)

/** `named`: coins to hear, none: all perps of the venue's own dex. Each look resolves to what there is now; `warn` is told once of a coin that there is not. */
export const openListing = (named: readonly string[], rest: Rest, warn: (reason: string) => void): () => Promise<ReadonlySet<string>> => {
  const told = new Set<string>()
  const once = (of: string, reason: string): void => { if (!told.has(of)) { told.add(of); warn(reason) } }
  // Coins of a dex are named after it, and listed by it alone.
  const dexes = new Set(named.filter((coin) => coin.includes(':')).map((coin) => coin.slice(0, coin.indexOf(':'))))
  let before: ReadonlySet<string> = new Set()
  return async () => {
    const [{ universe }] = await rest.info.metaAndAssetCtxs()
    const there = new Set(namesOf(universe as readonly Listed[]))
    if (named.length === 0) return there
    for (const dex of dexes) {
      try {
        const [listed] = await rest.info.metaAndAssetCtxs({ dex })
        for (const name of namesOf(listed.universe as readonly Listed[])) there.add(name)
        told.delete(`dex ${dex}`)
      } catch (thrown) {
        // No answer takes nothing down.
        for (const coin of before) if (coin.startsWith(`${dex}:`)) there.add(coin)
        once(`dex ${dex}`, `coins of ${dex}: ${messageOf(thrown)}`)
      }
    }
    before = new Set(named.filter((coin) => {
      // Spot pairs are in no list of perps: the socket says whether there is one.
      if (there.has(coin) || coin.startsWith('@') || coin.includes('/')) { told.delete(coin); return true }
      once(coin, `${coin} is not listed by the venue, or taken down: it is heard when it is there`)
      return false
    }))
    return before
  }
}
