import { AppError } from '../../schemas/errors.js'
import type { Middleware } from '../context.js'

const longest = 8_192

/** Refuses a URL longer than any question needs: 414. What is longer than Node's 16 KiB of headers never comes this far (431). */
export const requestLine: Middleware = (ctx, next) => {
  if ((ctx.req.url?.length ?? 0) > longest) throw new AppError('URI_TOO_LONG', `The path and query are longer than ${longest} characters`, { status: 414 })
  return next()
}
