import type { Middleware } from '../context.js'
import { rateLimited } from '../faults.js'
import type { Limits } from '../limits.js'

const policyOf = (perMinute: number, daily: number | null): string => `"minute";q=${perMinute};w=60${daily === null ? '' : `, "day";q=${daily};w=86400`}`

/** Counts the request against the caller's key (or address) per minute and per day, and says on every answer where it stands. */
export const rateLimit = (limits: Limits): Middleware => async (ctx, next) => {
  const { keyId, quota: who, perMinute, daily } = ctx.state.principal
  const minute = await limits.take(keyId === null ? 'ip' : 'key', who, perMinute, 60)
  const day = minute.allowed && daily !== null ? await limits.take('day', who, daily, 86_400) : null
  const spoken = day !== null && day.remaining < minute.remaining ? day : minute
  const seconds = Math.ceil(spoken.resetMs / 1_000)
  const { res } = ctx
  res.setHeader('X-RateLimit-Limit', String(spoken.limit))
  res.setHeader('X-RateLimit-Remaining', String(spoken.remaining))
  res.setHeader('X-RateLimit-Reset', String(Math.ceil((Date.now() + spoken.resetMs) / 1_000)))
  res.setHeader('RateLimit-Policy', policyOf(perMinute, daily))
  res.setHeader('RateLimit', `"${spoken === minute ? 'minute' : 'day'}";r=${spoken.remaining};t=${seconds}`)
  if (!minute.allowed || day?.allowed === false) throw rateLimited(Math.max(1, seconds))
  if (ctx.state.refused !== null) throw ctx.state.refused
  return next()
}
