/** When a message that was not taken is sent again: over a day, further and further apart. */

/** Seconds after each attempt; from the last on they stay. */
const waits = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 21_600] as const
/** A message that was not taken for so long after it was first sent is given up. */
export const lifetimeMs = 86_400_000
/** Not before so many attempts: a day in which this service was away is no day of the receiver's. */
export const fewestAttempts = waits.length + 1

/** Unix milliseconds of the next attempt after number `attempt` (from 1) at `now`, of a message first sent at `first`: within a quarter of its wait at random, and no later than the end of the message's day unless attempts are wanting; null: it is given up. */
export const nextAttempt = (attempt: number, now: number, first: number, random: () => number = Math.random): number | null => {
  const end = first + lifetimeMs
  const few = attempt < fewestAttempts
  if (now >= end && !few) return null
  const next = now + Math.round((waits[Math.min(attempt, waits.length) - 1] ?? 0) * 1_000 * (0.75 + random() / 2))
  return few && now >= end ? next : Math.min(end, next)
}
