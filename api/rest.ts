/** The REST surface: a loop over the registry. Path, query and body become one flat input; the answer's text passes through. */
import { AppError } from '../schemas/errors.js'
import { askOf, type Context, type Middleware, type Parts } from './context.js'
import { invalid, type Detail } from './faults.js'
import { readJson } from './middleware/body.js'
import type { Question } from './invoke.js'
import type { Operation } from './operation.js'
import { fieldsOfPath, matcher } from './routes.js'
import { Streamed } from './sql/streamed.js'
import { convert, fieldsOf, type Field } from './values.js'
import { beginning } from '../schemas/text.js'

interface Compiled {
  readonly operation: Operation
  readonly fields: ReadonlyMap<string, Field>
  readonly inPath: ReadonlySet<string>
  readonly inBody: boolean
  readonly where: (field: string) => string
}

const compile = (operation: Operation) => {
  const [method = '', path = ''] = operation.route.split(' ')
  const inPath = new Set(fieldsOfPath(path))
  const inBody = method === 'POST'
  const where = (field: string): string => (inPath.has(field) ? 'path' : inBody ? 'body' : 'query')
  return { method, path, target: { operation, fields: fieldsOf(operation), inPath, inBody, where } satisfies Compiled }
}

const readPath = (params: Readonly<Record<string, string>>, { fields }: Compiled, input: Record<string, unknown>): void => {
  for (const [name, text] of Object.entries(params)) {
    try {
      input[name] = convert(fields.get(name), decodeURIComponent(text))
    } catch {
      throw invalid([{ type: 'malformed_encoding', loc: ['path', name], msg: `${name} is not valid percent-encoding` }])
    }
  }
}

const readQuery = (query: string, { fields, inPath, inBody }: Compiled, input: Record<string, unknown>): void => {
  if (query === '') return
  const wrong: Detail[] = []
  const seen = new Set<string>()
  for (const [name, text] of new URLSearchParams(query)) {
    if (inBody || inPath.has(name) || !fields.has(name)) wrong.push({ type: 'unknown_parameter', loc: ['query', name], msg: `${beginning(name, 64)} is not a query parameter of this operation` })
    else if (seen.has(name)) wrong.push({ type: 'repeated_parameter', loc: ['query', name], msg: `${name} is given more than once` })
    else input[name] = convert(fields.get(name), text)
    seen.add(name)
  }
  if (wrong.length > 0) throw invalid(wrong)
}

const readBody = async (ctx: Context, { inPath }: Compiled, input: Record<string, unknown>): Promise<void> => {
  const body = await readJson(ctx)
  if (body === undefined) return
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalid([{ type: 'invalid_type', loc: ['body'], msg: 'The body is a JSON object' }])
  for (const [name, value] of Object.entries(body)) {
    if (inPath.has(name) || name === '__proto__') throw invalid([{ type: 'unknown_parameter', loc: ['body', name], msg: `${name} is not a member of this body` }])
    input[name] = value
  }
}

/** Questions by URL, understood once: the same path and query always mean the same. Bounded, oldest out first. */
const openUnderstood = (most = 2_000, longest = 512) => {
  const questions = new Map<string, Question>()
  return {
    find: (method: string, url: string): Question | undefined => (method === 'GET' || method === 'HEAD' ? questions.get(url) : undefined),
    keep: (url: string, question: Question): void => {
      if (question.parsed === undefined || question.operation.cacheSeconds === undefined || !question.operation.route.startsWith('GET ') || url.length > longest) return
      if (questions.size >= most) questions.delete(questions.keys().next().value ?? '')
      questions.set(url, question)
    },
  }
}

/** Answers what the registry knows; hands everything else on. */
export const rest = (parts: Parts): Middleware => {
  const find = matcher(parts.operations.map(compile))
  const understood = openUnderstood()

  /** null: not a path of the registry. */
  const read = async (ctx: Context): Promise<Question | 'answered' | null> => {
    const found = find(ctx.method === 'HEAD' ? 'GET' : ctx.method, ctx.path)
    if (found === null) return null
    if ('allow' in found) {
      const allow = [...found.allow, ...(found.allow.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
      if (ctx.method === 'OPTIONS') { ctx.status = 204; ctx.set('Allow', allow); return 'answered' }
      throw new AppError('METHOD_NOT_ALLOWED', `${ctx.method} is not possible here; allowed: ${allow}`, { status: 405, body: { allow } })
    }
    const { target, params } = found
    ctx.state.operation = target.operation.name
    const raw: Record<string, unknown> = {}
    readPath(params, target, raw)
    readQuery(ctx.querystring, target, raw)
    if (target.inBody) await readBody(ctx, target, raw)
    return { operation: target.operation, raw, where: target.where }
  }

  return async (ctx, next) => {
    const url = ctx.req.url ?? ''
    const known = understood.find(ctx.method, url)
    const question = known ?? await read(ctx)
    if (question === null) return next()
    if (question === 'answered') return
    const { operation } = question
    ctx.state.operation = operation.name
    const answer = await parts.invoke(question, askOf(ctx, parts))
    if (known === undefined) understood.keep(url, question)
    ctx.status = operation.status ?? 200
    if (operation.status === 204) return
    if (answer.value instanceof Streamed) {
      ctx.set(answer.value.headers)
      ctx.type = answer.value.type
      ctx.body = answer.value.body
      return
    }
    if (operation.media !== undefined) {
      ctx.type = operation.media
      ctx.body = answer.value instanceof Uint8Array ? Buffer.from(answer.value) : answer.value
      return
    }
    if (answer.headers !== undefined) ctx.set(answer.headers)
    ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8')
    ctx.body = answer.text
  }
}
