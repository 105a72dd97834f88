/** /mcp: both revisions at one address. 2026-07-28 is stateless; 2025 clients get a session, of which only the id and its owner are kept. */
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { createMcpHandler, isLegacyRequest, type McpRequestContext, type Server } from '@modelcontextprotocol/server'
import { AppError, messageOf } from '../../schemas/errors.js'
import { askOf, type Context, type Mount, type Parts } from '../context.js'
import { authorize } from '../invoke.js'
import { readJson } from '../middleware/body.js'
import type { Principal } from '../operation.js'
import { openCall } from './call.js'
import { guardAccept, guardOrigin, readWanted } from './door.js'
import { isAnswer, relayed } from './relay.js'
import { makeServer, type Caller } from './server.js'
import { openSessions, type Sessions } from './sessions.js'
import type { Session } from './sessionsHere.js'
import { openTools } from './tools.js'

const mostBytes = 4 * 1024 * 1024

interface Message { readonly method?: unknown; readonly id?: unknown; readonly params?: { readonly requestId?: unknown } }

const ownerOf = ({ keyId, name, role }: Principal): string => (keyId === null ? `${role}/${name}` : `key/${keyId}`)

const refuse = (ctx: Context, status: number, code: number, message: string): void => {
  ctx.status = status
  ctx.body = { jsonrpc: '2.0', id: null, error: { code, message } }
}

/** The session the request names; answers 400 or 404 itself and gives undefined where there is none. */
const sessionOf = async (ctx: Context, sessions: Sessions): Promise<Session | undefined> => {
  const id = ctx.get('Mcp-Session-Id')
  if (id === '') { refuse(ctx, 400, -32000, 'The Mcp-Session-Id header is missing: send the one the answer to initialize carried'); return undefined }
  const session = await sessions.find(id, ownerOf(ctx.state.principal))
  if (session === undefined) refuse(ctx, 404, -32001, 'Session not found: it has ended or is not yours. Send initialize without Mcp-Session-Id.')
  return session
}

const webRequest = (ctx: Context, signal: AbortSignal): Request => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(ctx.headers)) if (typeof value === 'string' && name !== 'content-length' && name !== 'transfer-encoding') headers.set(name, value)
  // The session was checked here; the protocol side keeps none.
  headers.delete('mcp-session-id')
  return new Request(`http://localhost${ctx.path}`, { method: ctx.method, headers, body: '{}', signal })
}

const send = async (ctx: Context, answer: Response): Promise<void> => {
  ctx.status = answer.status
  answer.headers.forEach((value, name) => { ctx.set(name, value) })
  if (answer.body === null) { ctx.body = null; ctx.status = answer.status } else if ((answer.headers.get('content-type') ?? '').includes('event-stream')) ctx.body = Readable.fromWeb(answer.body as ReadableStream)
  else ctx.body = Buffer.from(await answer.arrayBuffer())
}

/** The body; undefined where it was no JSON and the answer has been given. */
const readMessage = async (ctx: Context): Promise<unknown> => {
  try {
    return await readJson(ctx, mostBytes) ?? null
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.status !== 422) throw thrown
    refuse(ctx, 400, -32700, 'Parse error: the body is not JSON, or nests too deep')
    return undefined
  }
}

/** The mount of what `make` serves, a server for each request. Keys and limits are those of REST. */
export const mcpOf = (parts: Omit<Parts, 'mounts'>, make: (context: McpRequestContext) => Server): Mount => {
  const sessions = openSessions(parts.redis, parts.config.QUEUE_PREFIX)
  const factory = (context: McpRequestContext): Server => {
    const { session, caller } = context.authInfo?.extra as { session?: Session; caller: Caller }
    return session === undefined ? make(context) : relayed(make(context), session, caller.ask.signal)
  }
  const handler = createMcpHandler(factory, { maxSubscriptions: 256, onerror: (thrown) => { parts.log.debug({ reason: messageOf(thrown) }, 'MCP request refused') } })
  const guard = guardOrigin(parts.config)

  const serve = async (ctx: Context, body: unknown, ask: Caller['ask'], session?: Session): Promise<Response> => {
    const caller: Caller = { ...readWanted(ctx.querystring), ask, found: ({ name }) => { ctx.state.operation = name } }
    return handler.fetch(webRequest(ctx, ask.signal), { parsedBody: body, authInfo: { token: '', clientId: ownerOf(ctx.state.principal), scopes: [...ctx.state.principal.scopes], extra: { caller, session } } })
  }

  /** A 2025 message: opens a session, or belongs to one. */
  const legacy = async (ctx: Context, body: Message): Promise<void> => {
    const ask = askOf(ctx, { ...parts, mounts: [] })
    if (body.method === 'initialize') {
      const answer = await serve(ctx, body, ask)
      if (answer.ok) ctx.set('Mcp-Session-Id', (await sessions.open(ownerOf(ctx.state.principal))).id)
      return send(ctx, answer)
    }
    const session = await sessionOf(ctx, sessions)
    if (session === undefined) return
    if (isAnswer(body)) {
      await sessions.answer(session, body)
      ctx.body = null
      ctx.status = 202
      return
    }
    if (body.method === 'notifications/cancelled') await sessions.cancel(session, JSON.stringify(body.params?.requestId ?? null))
    const controller = new AbortController()
    const id = JSON.stringify(body.id)
    if (body.id !== undefined) session.running.set(id, controller)
    ctx.res.once('close', () => { if (session.running.get(id) === controller) session.running.delete(id) })
    await send(ctx, await serve(ctx, body, { ...ask, signal: AbortSignal.any([ask.signal, controller.signal]) }, session))
  }

  return {
    paths: ['/mcp'], name: 'mcp', auth: 'public', close: async () => { sessions.close() },
    middleware: async (ctx, next) => {
      if (ctx.path !== '/mcp') return next()
      guard(ctx)
      authorize({ auth: 'key' }, ctx.state.principal)
      if (ctx.method === 'DELETE' && ctx.get('MCP-Protocol-Version') !== '2026-07-28') {
        const session = await sessionOf(ctx, sessions)
        if (session !== undefined) { await sessions.end(session); ctx.status = 204 }
        return undefined
      }
      if (ctx.method !== 'POST') throw new AppError('METHOD_NOT_ALLOWED', `${ctx.method} is not possible here; allowed: POST, DELETE`, { status: 405, body: { allow: 'POST, DELETE' } })
      guardAccept(ctx)
      const body = await readMessage(ctx)
      if (body === undefined) return undefined
      // A batch would be many calls for the price of one; both revisions have dropped it.
      if (typeof body !== 'object' || body === null || Array.isArray(body)) { refuse(ctx, 400, -32600, 'Send one JSON-RPC message'); return undefined }
      const ask = askOf(ctx, { ...parts, mounts: [] })
      if (await isLegacyRequest(webRequest(ctx, ask.signal), body)) return legacy(ctx, body as Message)
      return send(ctx, await serve(ctx, body, ask))
    },
  }
}

/** The mount of the registry's tools. */
export const mcp = (parts: Omit<Parts, 'mounts'>): Mount => {
  const tools = openTools(parts.operations)
  const call = openCall(parts.invoke)
  return mcpOf(parts, () => makeServer(tools, call))
}
