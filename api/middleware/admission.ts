import type { IncomingMessage } from 'node:http'
import { AppError } from '../../schemas/errors.js'
import type { Middleware } from '../context.js'
import { answerPreflight } from './cors.js'

const longest = 8_192

/** Times a request names its host: HTTP/1.1 wants one. Of several, Node shows the first alone. */
const hostsOf = ({ rawHeaders }: IncomingMessage): number => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) { const name = rawHeaders[at] ?? ''; if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1 }
  return hosts
}

/**
 * Answers what a browser asks before it calls (without a key: it has been counted by address), and refuses a URL longer than any
 * question needs (414), a request that names no host or two (400), and wishes other than 100-continue (417). What is longer than Node's
 * 16 KiB of headers never comes this far (431).
 */
export const admission: Middleware = (ctx, next) => {
  const { method, url = '', httpVersion, headers: { expect } } = ctx.req
  if (url.length > longest) throw new AppError('URI_TOO_LONG', `The path and query are longer than ${longest} characters`, { status: 414 })
  if (httpVersion !== '1.0' && hostsOf(ctx.req) !== 1) throw new AppError('BAD_REQUEST', 'A request names its host once: send one Host header', { status: 400 })
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') throw new AppError('EXPECTATION_FAILED', 'Of the Expect header only 100-continue is known here', { status: 417 })
  if (method === 'OPTIONS' && answerPreflight(ctx)) return undefined
  return next()
}
