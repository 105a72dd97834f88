import type { Middleware } from '../context.js'
import { rateLimited } from '../faults.js'
import type { Limits, Verdict } from '../limits.js'

const policyOf = (perMinute: number, daily: number | null): string => `"minute";q=${perMinute};w=60${daily === null ? '' : `, "day";q=${daily};w=86400`}`

/** Says to `set` where a caller stands: `spoken` is the window that is nearest to its end. */
export const tellLimits = (spoken: Verdict, window: 'minute' | 'day', perMinute: number, daily: number | null, set: (name: string, value: string) => unknown): void => {
  set('X-RateLimit-Limit', String(spoken.limit))
  set('X-RateLimit-Remaining', String(spoken.remaining))
  set('X-RateLimit-Reset', String(Math.ceil((Date.now() + spoken.resetMs) / 1_000)))
  set('RateLimit-Policy', policyOf(perMinute, daily))
  set('RateLimit', `"${window}";r=${spoken.remaining};t=${Math.ceil(spoken.resetMs / 1_000)}`)
}

/** Counts the request against the caller's key (or address) per minute and per day, and says on every answer where it stands. */
export const rateLimit = (limits: Limits): Middleware => async (ctx, next) => {
  const { keyId, quota: who, perMinute, daily } = ctx.state.principal
  const minute = await limits.take(keyId === null ? 'ip' : 'key', who, perMinute, 60)
  const day = minute.allowed && daily !== null ? await limits.take('day', who, daily, 86_400) : null
  const spoken = day !== null && day.remaining < minute.remaining ? day : minute
  tellLimits(spoken, spoken === minute ? 'minute' : 'day', perMinute, daily, (name, value) => ctx.res.setHeader(name, value))
  if (!minute.allowed || day?.allowed === false) throw rateLimited(Math.max(1, Math.ceil(spoken.resetMs / 1_000)))
  if (ctx.state.refused !== null) throw ctx.state.refused
  return next()
}
