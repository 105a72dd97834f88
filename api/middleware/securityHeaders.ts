import type { Middleware } from '../context.js'

const headers = Object.entries({
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-site',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
})

/** The headers of an API answer; a mount that serves pages sets its own policy over them. */
export const securityHeaders: Middleware = (ctx, next) => {
  const { res } = ctx
  for (const [name, value] of headers) res.setHeader(name, value)
  // Browsers heed it over https only.
  if (ctx.state.baseUrl.startsWith('https:')) res.setHeader('Strict-Transport-Security', 'max-age=31536000')
  return next()
}
