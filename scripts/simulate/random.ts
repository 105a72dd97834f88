/** Seeded randomness: the same seed gives the same run of faults and blocks. */
export interface Random { next(): number; int(min: number, max: number): number; chance(probability: number): boolean; pick<T>(list: readonly T[]): T }

/** mulberry32: 32 bits of state, good enough to choose faults with. */
export const seeded = (seed: number): Random => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next, int: (min, max) => min + Math.floor(next() * (max - min + 1)), chance: (probability) => next() < probability,
    pick: (list) => {
      const chosen = list[Math.floor(next() * list.length)]
      if (chosen === undefined) throw new Error('nothing to pick from')
      return chosen
    },
  }
}
