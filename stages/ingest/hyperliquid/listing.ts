/** Which coins are heard: what the venue lists and has not taken down; of coins that were named, those of them that it has. */
import { messageOf } from '../../../schemas/errors.js'
import { dexesOf } from './dexes.js'
import type { Rest } from './rest.js'

/** Milliseconds between looks at other dexes and at spot: new coins are rare there, and each look is a question a dex. */
const beyondMs = 600_000
/** Spot among the parts of the list, which are named after dexes: no dex has this name. */
const spotPart = '@'

/** Dollars of the last day, and when the venue said so, Unix milliseconds. */
export interface Volume { readonly usd: number; readonly at: number }
/** What is listed, and of what the venue says so what was traded of it. */
export interface Listing { readonly coins: ReadonlySet<string>; readonly volumes: ReadonlyMap<string, Volume> }

interface Listed { readonly name: string; readonly isDelisted?: boolean | null }
const namesOf = (universe: readonly Listed[]): string[] => universe.filter(({ isDelisted }) => isDelisted !== true).map(({ name }) => name)
/** The most traded of the last day first. */
export const busiest = (names: readonly string[], volumes: ReadonlyMap<string, Volume>): string[] => [...names].sort((left, right) => (volumes.get(right)?.usd ?? 0) - (volumes.get(left)?.usd ?? 0))
const volumesOf = (said: readonly (readonly [string, string | undefined])[], at: number): Map<string, Volume> => new Map(said.flatMap(([name, usd]) => (usd === undefined ? [] : [[name, { usd: Number(usd), at }]])))

export type Kind = 'perps' | 'HIP-3' | 'spot'
/** The market a coin is of, by its name. */
export const kindOf = (coin: string): Kind => (coin.includes(':') ? 'HIP-3' : coin.startsWith('@') || coin.includes('/') ? 'spot' : 'perps')

/**
 * `named`: coins to hear, none: all perps of the venue's own dex, then those of other dexes, then spot, of these the most traded first. Each look resolves to what there is now;
 * `warn` is told once of a coin that there is not.
 */
export const openListing = (named: readonly string[], rest: Rest, warn: (reason: string) => void, now: () => number = Date.now): { look(): Promise<Listing>; /** The next look is at all parts: what they said is no more what counts. */ anew(): void } => {
  const told = new Set<string>()
  const once = (of: string, reason: string): void => { if (!told.has(of)) { told.add(of); warn(reason) } }
  // Coins of a dex are named after it, and listed by it alone.
  const namedDexes = dexesOf(named).slice(1)
  const parts = new Map<string, { readonly coins: readonly string[]; readonly volumes: ReadonlyMap<string, Volume> }>()
  let dexes: readonly string[] = namedDexes, beyondAt = -Infinity

  /** Takes a part of the list; no answer takes nothing down. */
  const part = async (name: string, ask: () => Promise<{ coins: string[]; volumes: Map<string, Volume> }>): Promise<void> => {
    try { parts.set(name, await ask()); told.delete(name) } catch (thrown) { once(name, `coins of ${name}: ${messageOf(thrown)}`) }
  }
  const ofDex = (dex: string): Promise<void> => part(dex, async () => {
    const [{ universe }, contexts] = await rest.info.metaAndAssetCtxs({ dex })
    return { coins: namesOf(universe), volumes: volumesOf(universe.map(({ name }, nth) => [name, contexts[nth]?.dayNtlVlm]), now()) }
  })
  const ofSpot = (): Promise<void> => part(spotPart, async () => {
    const [{ universe }, contexts] = await rest.info.spotMetaAndAssetCtxs()
    return { coins: universe.map(({ name }) => name), volumes: volumesOf(contexts.map(({ coin, dayNtlVlm }) => [coin, dayNtlVlm]), now()) }
  })
  const beyond = async (): Promise<void> => {
    // Of a time that is yet to come it is not known how long ago it was: the clock was set back.
    if (now() >= beyondAt && now() - beyondAt < beyondMs) return
    // What does not answer is asked again with all others: one dex that never does would have them asked every minute.
    beyondAt = now()
    try { dexes = (await rest.info.perpDexs()).flatMap((dex) => (dex === null ? [] : [dex.name])); told.delete('dexes') } catch (thrown) { once('dexes', `dexes of the venue: ${messageOf(thrown)}`) }
    for (const known of parts.keys()) if (known !== spotPart && !dexes.includes(known)) parts.delete(known)
    for (const dex of dexes) await ofDex(dex)
    await ofSpot()
  }
  const look = async (): Promise<Listing> => {
    const [{ universe }, contexts] = await rest.info.metaAndAssetCtxs()
    const own = namesOf(universe), ownVolumes = volumesOf(universe.map(({ name }, nth) => [name, contexts[nth]?.dayNtlVlm]), now())
    if (named.length === 0) await beyond()
    else for (const dex of namedDexes) await ofDex(dex)
    const volumes = new Map([...ownVolumes, ...[...parts.values()].flatMap((one) => [...one.volumes])])
    if (named.length === 0) {
      const spot = parts.get(spotPart), others = [...parts].filter(([name]) => name !== spotPart).map(([, one]) => one)
      return { volumes, coins: new Set([...own, ...busiest(others.flatMap(({ coins }) => coins), volumes), ...busiest(spot?.coins ?? [], volumes)]) }
    }
    const there = new Set([...own, ...[...parts.values()].flatMap(({ coins }) => coins)])
    const coins = new Set(named.filter((coin) => {
      // Spot pairs are in no list of perps: the socket says whether there is one.
      if (there.has(coin) || kindOf(coin) === 'spot') { told.delete(coin); return true }
      once(coin, `${coin} is not listed by the venue, or taken down: it is heard when it is there`)
      return false
    }))
    return { coins, volumes }
  }
  return { look, anew: () => { beyondAt = -Infinity } }
}
