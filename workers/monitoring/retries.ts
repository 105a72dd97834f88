/** When a message that was not taken is sent again: over a day, further and further apart. */

/** Seconds after each attempt; from the last on they stay. */
const waits = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 21_600] as const
/** A message that was not taken for so long is given up. */
export const lifetimeMs = 86_400_000

/** Unix milliseconds of the next attempt after number `attempt` (from 1) at `now`, within a quarter of its wait at random and no later than the end of the message's day; null: it is given up. */
export const nextAttempt = (attempt: number, now: number, created: number, random: () => number = Math.random): number | null => {
  const end = created + lifetimeMs
  if (now >= end) return null
  const wait = (waits[Math.min(attempt, waits.length) - 1] ?? 0) * 1_000
  return Math.min(end, now + Math.round(wait * (0.75 + random() / 2)))
}
