/** The protocol side: one server for one request, of either revision. Who asks comes with the request, in `extra`. */
import { ProtocolError, ProtocolErrorCode, Server, type ReadResourceResult, type ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { bound, within } from '../deadline.js'
import { render } from '../envelopes.js'
import { logFailure } from '../failures.js'
import type { Ask, Lane, Operation } from '../operation.js'
import type { openCall } from './call.js'
import { instructions } from './instructions.js'
import { complete, getPrompt, prompts, readResource, resources, templates } from './library.js'
import type { Tools } from './tools.js'

export interface Caller {
  readonly ask: Ask
  /** null: every lane. */
  readonly lanes: ReadonlySet<Lane> | null
  /** About how long an answer may be. */
  readonly tokens: number
  /** Told which operation a call turned out to be. */
  found(operation: Operation): void
}

export const serverVersion = '3.5.0'

const callerOf = (ctx: ServerContext): Caller => {
  const caller = ctx.http?.authInfo?.extra?.['caller'] as Caller | undefined
  if (caller === undefined) throw new Error('a request reached the MCP server without its caller')
  const signal = AbortSignal.any([caller.ask.signal, ctx.mcpReq.signal])
  return { ...caller, ask: { ...caller.ask, signal } }
}

const firstPageOnly = (params: { readonly cursor?: string | undefined } | undefined): void => {
  if (params?.cursor !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid cursor: lists here have one page')
}

// Said here because the protocol library calls what does not fit its own schemas an internal error.
const Read = z.object({ uri: z.string() })
const Get = z.object({ name: z.string(), arguments: z.record(z.string(), z.string()).optional() })
const Complete = z.object({ ref: z.looseObject({ type: z.enum(['ref/prompt', 'ref/resource']) }), argument: z.object({ name: z.string(), value: z.string() }) })

const lasting = { ttlMs: 300_000, cacheScope: 'private' } as const

/** Reads a resource for as long as its reader waits and an answer may take; of what goes wrong the reader is told what REST would tell. */
const readFor = async (uri: string, ask: Ask): Promise<ReadResourceResult> => {
  try { return await within(ask.signal, (signal) => readResource(uri, bound(ask, signal))) } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown
    const { status, body } = render(thrown, `${ask.baseUrl}/redoc`, ask.requestId)
    if (status >= 500 && !ask.signal.aborted) logFailure(ask.log, thrown, { traceId: ask.requestId, operation: 'resources/read' }, 'resource failed')
    const { error, detail } = body as { readonly error?: { readonly message: string }; readonly detail?: { readonly error: string } }
    throw new ProtocolError(ProtocolErrorCode.InternalError, error?.message ?? detail?.error ?? 'The resource cannot be read', { request_id: ask.requestId })
  }
}

const unknownTool = (name: string, near: readonly string[]): string =>
  `Unknown tool: ${name.replace(/[^\w.-]/g, '').slice(0, 64)}${near.length === 0 ? '' : `. Like it: ${near.join(', ')}`}`

export const makeServer = (tools: Tools, call: ReturnType<typeof openCall>): Server => {
  const server = new Server({ name: 'hydrophone', title: 'Hydrophone', version: serverVersion }, {
    instructions, capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
    cacheHints: { 'tools/list': lasting, 'prompts/list': lasting, 'resources/list': lasting, 'resources/templates/list': lasting, 'server/discover': lasting, 'resources/read': { ttlMs: 1_000, cacheScope: 'private' } },
  })
  server.setRequestHandler('tools/list', ({ params }, ctx) => { firstPageOnly(params); return { tools: [...tools.list(callerOf(ctx).lanes)] } })
  server.setRequestHandler('tools/call', ({ params }, ctx) => {
    const operation = tools.find(params.name)
    if (operation === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknownTool(params.name, tools.near(params.name)))
    const caller = callerOf(ctx)
    caller.found(operation)
    return call(operation, params.arguments ?? {}, caller.ask, caller.tokens)
  })
  server.setRequestHandler('resources/list', ({ params }) => { firstPageOnly(params); return { resources: [...resources] } })
  server.setRequestHandler('resources/templates/list', ({ params }) => { firstPageOnly(params); return { resourceTemplates: [...templates] } })
  server.setRequestHandler('resources/read', { params: Read }, (params, ctx) => readFor(params.uri, callerOf(ctx).ask))
  server.setRequestHandler('prompts/list', ({ params }) => { firstPageOnly(params); return { prompts: [...prompts] } })
  server.setRequestHandler('prompts/get', { params: Get }, (params) => getPrompt(params.name, params.arguments ?? {}))
  server.setRequestHandler('completion/complete', { params: Complete }, (params) => {
    const values = [...complete(params.argument.name, params.argument.value)]
    return { completion: { values, total: values.length, hasMore: false } }
  })
  return server
}
