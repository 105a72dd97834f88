/** Serves documents: public, kept for a while per base URL, with an ETag so that asking again costs nothing. */
import { createHash } from 'node:crypto'
import type { Middleware, Parts } from '../context.js'
import { invalid } from '../faults.js'
import { AppError } from '../../schemas/errors.js'
import type { Document } from './document.js'
import { documents } from './list.js'
import { beginning } from '../../schemas/text.js'

interface Made { readonly text: string; readonly tag: string; readonly until: number }

/** Callers choose the Host header, so only the newest few texts are kept. */
const most = 64

const allow = 'GET, HEAD, OPTIONS'

/** Whether If-None-Match names `tag`; weak and strong compare alike here. */
const names = (given: string, tag: string): boolean => given.split(',').some((one) => { const text = one.trim().replace(/^W\//, ''); return text === tag || text === '*' })

/** `now`: milliseconds by a clock that nobody sets: one that is set back would keep a text for as long. */
export const serveDocuments = (parts: Parts, now: () => number = () => performance.now()): Middleware => {
  const [everywhere, byHost] = [new Map<string, Promise<Made>>(), new Map<string, Promise<Made>>()]
  const byPath = new Map(documents.map((document) => [document.path as string, document]))

  const make = async (document: Document, baseUrl: string): Promise<Made> => {
    const text = await document.text({ operations: parts.operations, documents, parts, baseUrl })
    return { text, tag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`, until: now() + document.cacheSeconds * 1_000 }
  }
  const find = async (document: Document, baseUrl: string): Promise<Made> => {
    const [made, key] = document.anywhere === true ? [everywhere, document.path] : [byHost, `${document.path} ${baseUrl}`]
    const kept = await made.get(key)
    if (kept !== undefined && kept.until > now()) return kept
    const fresh = make(document, baseUrl)
    if (made.size >= most && !made.has(key)) made.delete(made.keys().next().value ?? '')
    made.set(key, fresh)
    fresh.catch(() => made.delete(key))
    return fresh
  }

  return async (ctx, next) => {
    const document = byPath.get(ctx.path)
    if (document === undefined) return next()
    ctx.state.operation = document.name
    if (ctx.method === 'OPTIONS') { ctx.status = 204; ctx.set('Allow', allow); return undefined }
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') throw new AppError('METHOD_NOT_ALLOWED', `${ctx.method} is not possible here; allowed: ${allow}`, { status: 405, body: { allow } })
    const strangers = [...new URLSearchParams(ctx.querystring).keys()].map((name) => beginning(name, 64))
    if (strangers.length > 0) throw invalid(strangers.map((name) => ({ type: 'unknown_parameter', loc: ['query', name], msg: `${name} is not a parameter of this document` })))
    const { text, tag } = await find(document, ctx.state.baseUrl)
    ctx.set({ 'Content-Type': document.type, 'Cache-Control': `public, max-age=${document.cacheSeconds}`, ETag: tag })
    if (document.policy !== undefined) ctx.set('Content-Security-Policy', document.policy)
    ctx.status = 200
    if (names(ctx.get('If-None-Match'), tag)) { ctx.status = 304; return undefined }
    ctx.body = text
    return undefined
  }
}
