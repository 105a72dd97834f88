/** Which coins are heard: what the venue lists and has not taken down; of coins that were named, those of them that it has. */
import { messageOf } from '../../../schemas/errors.js'
import type { Rest } from './rest.js'

/** Milliseconds between looks at other dexes and at spot: new coins are rare there, and each look is a question a dex. */
const beyondMs = 600_000
/** Spot among the parts of the list, which are named after dexes: no dex has this name. */
const spotPart = '@'

interface Listed { readonly name: string; readonly isDelisted?: boolean | null }
const namesOf = (universe: readonly Listed[]): string[] => universe.filter(({ isDelisted }) => isDelisted !== true).map(({ name }) => name)
/** The most traded of the last day first. */
const busiest = (names: readonly string[], volumes: ReadonlyMap<string, number>): string[] => [...names].sort((left, right) => (volumes.get(right) ?? 0) - (volumes.get(left) ?? 0))

export type Kind = 'perps' | 'HIP-3' | 'spot'
/** The market a coin is of, by its name. */
export const kindOf = (coin: string): Kind => (coin.includes(':') ? 'HIP-3' : coin.startsWith('@') || coin.includes('/') ? 'spot' : 'perps')

/**
 * `named`: coins to hear, none: all perps of the venue's own dex, then those of other dexes, then spot, of these the most traded first. Each look resolves to what there is now;
 * `warn` is told once of a coin that there is not.
 */
export const openListing = (named: readonly string[], rest: Rest, warn: (reason: string) => void, now: () => number = Date.now): () => Promise<ReadonlySet<string>> => {
  const told = new Set<string>()
  const once = (of: string, reason: string): void => { if (!told.has(of)) { told.add(of); warn(reason) } }
  // Coins of a dex are named after it, and listed by it alone.
  const namedDexes = [...new Set(named.filter((coin) => coin.includes(':')).map((coin) => coin.slice(0, coin.indexOf(':'))))]
  const parts = new Map<string, { coins: readonly string[]; volumes: ReadonlyMap<string, number> }>()
  let dexes: readonly string[] = namedDexes, beyondAt = -Infinity

  /** Takes a part of the list; no answer takes nothing down. */
  const part = async (name: string, ask: () => Promise<{ coins: string[]; volumes: Map<string, number> }>): Promise<void> => {
    try { parts.set(name, await ask()); told.delete(name) } catch (thrown) { once(name, `coins of ${name}: ${messageOf(thrown)}`) }
  }
  const ofDex = (dex: string): Promise<void> => part(dex, async () => {
    const [{ universe }, contexts] = await rest.info.metaAndAssetCtxs({ dex })
    return { coins: namesOf(universe), volumes: new Map(universe.map(({ name }, nth) => [name, Number(contexts[nth]?.dayNtlVlm ?? 0)])) }
  })
  const ofSpot = (): Promise<void> => part(spotPart, async () => {
    const [{ universe }, contexts] = await rest.info.spotMetaAndAssetCtxs()
    return { coins: universe.map(({ name }) => name), volumes: new Map(contexts.map(({ coin, dayNtlVlm }) => [coin, Number(dayNtlVlm)])) }
  })
  const beyond = async (): Promise<void> => {
    if (now() - beyondAt < beyondMs) return
    // What does not answer is asked again with all others: one dex that never does would have them asked every minute.
    beyondAt = now()
    try { dexes = (await rest.info.perpDexs()).flatMap((dex) => (dex === null ? [] : [dex.name])); told.delete('dexes') } catch (thrown) { once('dexes', `dexes of the venue: ${messageOf(thrown)}`) }
    for (const known of parts.keys()) if (known !== spotPart && !dexes.includes(known)) parts.delete(known)
    for (const dex of dexes) await ofDex(dex)
    await ofSpot()
  }
  return async () => {
    const [{ universe }] = await rest.info.metaAndAssetCtxs()
    const own = namesOf(universe)
    if (named.length === 0) {
      await beyond()
      const spot = parts.get(spotPart), others = [...parts].filter(([name]) => name !== spotPart).map(([, one]) => one)
      return new Set([...own, ...busiest(others.flatMap(({ coins }) => coins), new Map(others.flatMap(({ volumes }) => [...volumes]))), ...busiest(spot?.coins ?? [], spot?.volumes ?? new Map())])
    }
    for (const dex of namedDexes) await ofDex(dex)
    const there = new Set([...own, ...[...parts.values()].flatMap(({ coins }) => coins)])
    return new Set(named.filter((coin) => {
      // Spot pairs are in no list of perps: the socket says whether there is one.
      if (there.has(coin) || kindOf(coin) === 'spot') { told.delete(coin); return true }
      once(coin, `${coin} is not listed by the venue, or taken down: it is heard when it is there`)
      return false
    }))
  }
}
