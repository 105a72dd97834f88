import { AppError } from '../../schemas/errors.js'
import type { Middleware } from '../context.js'
import { answerPreflight } from './cors.js'

const longest = 8_192

/**
 * Answers what a browser asks before it calls (without a key: it has been counted by address), and refuses a URL longer than any
 * question needs: 414. What is longer than Node's 16 KiB of headers never comes this far (431).
 */
export const admission: Middleware = (ctx, next) => {
  const { method, url = '' } = ctx.req
  if (url.length > longest) throw new AppError('URI_TOO_LONG', `The path and query are longer than ${longest} characters`, { status: 414 })
  if (method === 'OPTIONS' && answerPreflight(ctx)) return undefined
  return next()
}
