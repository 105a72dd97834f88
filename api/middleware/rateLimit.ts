import type { Middleware } from '../context.js'
import { usedUp } from '../faults.js'
import type { Limits, Verdict, Window } from '../limits.js'

type Set = (name: string, value: string) => unknown

const policyOf = ({ name, limit, seconds }: Window): string => `"${name}";q=${limit}${seconds === undefined ? '' : `;w=${seconds}`}`

const tell = ({ name, limit }: Window, remaining: number, milliseconds: number, policies: readonly string[], set: Set): void => {
  set('X-RateLimit-Limit', String(limit))
  set('X-RateLimit-Remaining', String(remaining))
  set('X-RateLimit-Reset', String(Math.ceil((Date.now() + milliseconds) / 1_000)))
  set('RateLimit-Policy', policies.join(', '))
  set('RateLimit', `"${name}";r=${remaining};t=${Math.ceil(milliseconds / 1_000)}`)
}

/** Says to `set` where a caller stands: `spoken`, of the windows that count it, is the one that is nearest to its end. */
export const tellLimits = (spoken: Verdict, windows: readonly Window[], set: Set): void => {
  tell(spoken, spoken.remaining, spoken.resetMs, windows.map(policyOf), set)
}

/** The same of the window that refused: `told` is the policy told before it did. */
export const tellRefusal = (window: Window, seconds: number, told: string, set: Set): void => {
  const policies = told === '' ? [] : told.split(', ')
  const own = policyOf(window)
  tell(window, 0, seconds * 1_000, policies.includes(own) ? policies : [...policies, own], set)
}

/** Counts the request against the caller's key (or address) per minute and per day, and says on every answer where it stands. */
export const rateLimit = (limits: Limits): Middleware => async (ctx, next) => {
  const { keyId, quota: who, perMinute, daily } = ctx.state.principal
  const minute = { ...await limits.take(keyId === null ? 'ip' : 'key', who, perMinute, 60), name: 'minute' }
  const day = minute.allowed && daily !== null ? await limits.take('day', who, daily, 86_400) : null
  // Where both are at their end, the one that refuses speaks.
  const spoken = day !== null && (day.remaining < minute.remaining || !day.allowed) ? day : minute
  tellLimits(spoken, [minute, ...(daily === null ? [] : [{ name: 'day', limit: daily, seconds: 86_400 }])], (name, value) => ctx.res.setHeader(name, value))
  if (!spoken.allowed) throw usedUp(spoken)
  if (ctx.state.refused !== null) throw ctx.state.refused
  return next()
}
