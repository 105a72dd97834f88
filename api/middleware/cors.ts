import type { Context, Middleware } from '../context.js'

const exposed = 'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit, RateLimit-Policy, Retry-After, Mcp-Session-Id, X-Coverage-Status, X-Sources, X-Tool-Version, X-Empty-Reason, X-Successful-Empty, X-Next-Cursor, X-Has-More, X-Window'
const allowed = 'Authorization, Content-Type, X-API-Key, X-Request-Id, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name'

/** Lets pages of the listed origins, as browsers write them, call the API; other origins get no CORS header, so their browsers refuse. Never with cookies. */
export const cors = (origins: readonly string[]): Middleware => {
  const listed = new Set(origins)
  return (ctx, next) => {
    ctx.res.setHeader('Vary', 'Origin')
    const { origin } = ctx.req.headers
    if (origin !== undefined && listed.has(origin)) ctx.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': exposed })
    return next()
  }
}

/** Answers a preflight; false where the request is none. */
export const answerPreflight = (ctx: Context): boolean => {
  if (ctx.get('Access-Control-Request-Method') === '') return false
  if (ctx.res.hasHeader('Access-Control-Allow-Origin')) {
    ctx.set({ 'Access-Control-Allow-Methods': 'GET, HEAD, POST, DELETE, OPTIONS', 'Access-Control-Allow-Headers': allowed, 'Access-Control-Max-Age': '600' })
  }
  ctx.status = 204
  return true
}
