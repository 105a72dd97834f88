/** The OpenAPI 3.1 description, made from the registry. */
import { z } from 'zod'
import type { Document } from './documents/document.js'
import { DetailError, FlatError, NestedError } from './envelopes.js'
import { shownOf } from './documents/examples.js'
import { recorded } from './documents/recorded.js'
import { emptyReasons, Meta } from './empty.js'
import { needsKey } from './invoke.js'
import type { Operation } from './operation.js'
import { fieldsOfPath } from './routes.js'
import { isWaiting, supply } from './supply.js'
import { version } from './version.js'

type Json = Record<string, unknown>

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  return rest
}

/** What the answer looks like on the wire: the operation's output, with `_meta` where it names sources. */
export const answerSchema = (operation: Operation): z.ZodType =>
  operation.sources !== undefined && operation.output instanceof z.ZodObject ? operation.output.extend({ _meta: Meta }) : operation.output

const response = (description: string, schema: unknown, examples?: Json, headers = limitHeaders, others: Json = {}): Json => ({ description, headers, content: { 'application/json': { schema, ...(examples === undefined ? {} : { examples }) }, ...others } })

/** What the operation answered on recorded blocks, by what was asked, or else when a test asked it; undefined where neither is kept. */
const examplesOf = (operation: Operation): Json | undefined => {
  const mine = recorded().calls.filter((call) => call.operation === operation.name)
  return mine.length === 0 ? shownOf(operation.name) : Object.fromEntries(mine.map((call, index) => [`recorded_${index + 1}`, { summary: JSON.stringify(call.arguments), value: call.answer }]))
}

const limitHeaders: Json = Object.fromEntries(['Limit', 'Remaining', 'Reset'].map((name) => [`X-RateLimit-${name}`, { $ref: `#/components/headers/RateLimit${name}` }]))
/** Of answers that are bare lists: what an object says in its members. */
const listHeaders = {
  'X-Coverage-Status': { description: 'coverage_status as JSON', schema: { type: 'string' } }, 'X-Empty-Reason': { description: 'On an empty list: why it is empty', schema: { type: 'string', enum: emptyReasons } },
  'X-Sources': { description: '_meta.sources as JSON', schema: { type: 'string' } }, 'X-Tool-Version': { description: '_meta.tool_version', schema: { type: 'string' } },
  'X-Successful-Empty': { description: 'On an empty list. true: nothing is the answer; false: not evidence; null: not established', schema: { type: 'string', enum: ['true', 'false', 'null'] } },
}
/** Of bare lists that come in pages. */
const pageHeaders = {
  'X-Next-Cursor': { description: 'The cursor of the next page; absent on the last', schema: { type: 'string' } }, 'X-Has-More': { description: 'Whether there is a next page', schema: { type: 'string', enum: ['true', 'false'] } },
  'X-Window': { description: 'Where the list is of a span of time: from, to and which of its blocks are indexed, as JSON', schema: { type: 'string' } },
}
const nested = { $ref: '#/components/schemas/NestedError' }

const parametersOf = (operation: Operation, path: string, method: string): { parameters: Json[]; body: Json | undefined } => {
  const input = schemaOf(operation.input, 'input')
  const properties = (input['properties'] ?? {}) as Record<string, Json>
  const required = new Set((input['required'] ?? []) as string[])
  const inPath = new Set(fieldsOfPath(path))
  const rest = Object.keys(properties).filter((name) => !inPath.has(name))
  const parameter = (name: string, place: string): Json => {
    const { description, ...schema } = properties[name] ?? {}
    return { name, in: place, required: place === 'path' || required.has(name), description, schema }
  }
  const parameters = [...[...inPath].map((name) => parameter(name, 'path')), ...(method === 'post' ? [] : rest.map((name) => parameter(name, 'query')))]
  const wanted = rest.filter((name) => required.has(name))
  const body = method !== 'post' || rest.length === 0 ? undefined : {
    required: wanted.length > 0,
    content: { 'application/json': { schema: { type: 'object', properties: Object.fromEntries(rest.map((name) => [name, properties[name]])), ...(wanted.length > 0 ? { required: wanted } : {}), additionalProperties: false } } },
  }
  return { parameters, body }
}

const examplesNamed = (name: string): Json => { const examples = shownOf(name); return examples === undefined ? {} : { examples } }

const fileResponse = (name: string, media: string): Json => ({
  description: 'The file', headers: limitHeaders, content: { [media]: { schema: media === 'application/json' ? {} : { type: 'string', contentMediaType: media }, ...examplesNamed(name) } },
})

const entry = (operation: Operation, method: string, path: string): Json => {
  const { parameters, body } = parametersOf(operation, path, method)
  const status = operation.status ?? 200
  const streams = Object.fromEntries((operation.streams ?? []).map((media) => [media, { schema: { type: 'string', contentMediaType: media } }]))
  const secured = needsKey(operation)
  return {
    operationId: operation.name, summary: operation.summary.split(/(?<=\.)\s/)[0], description: isWaiting(operation) ? `${operation.summary} No data yet: answers are empty, with empty_reason data_gap.` : operation.summary, tags: [operation.lane],
    security: secured ? [{ key: [] }, { bearer: [] }] : [{}, { key: [] }, { bearer: [] }],
    ...(parameters.length > 0 ? { parameters } : {}), ...(body === undefined ? {} : { requestBody: body }),
    ...(operation.role === undefined ? {} : { 'x-required-role': operation.role }),
    ...(operation.tier === undefined ? {} : { 'x-required-tier': operation.tier }),
    responses: {
      [status]: operation.media !== undefined ? fileResponse(operation.name, operation.media) : status === 204 ? { description: 'Done', headers: limitHeaders } : response('The answer', schemaOf(answerSchema(operation), 'output'), examplesOf(operation), operation.output instanceof z.ZodArray ? { ...limitHeaders, ...listHeaders, ...('cursor' in operation.input.shape ? pageHeaders : {}) } : limitHeaders, streams),
      400: response('Cursor malformed or expired', { $ref: '#/components/schemas/DetailError' }),
      401: response('No key, or a key that is malformed, revoked or expired', nested),
      403: response('The key does not reach this', nested),
      404: response('Unknown chain, or what was named does not exist', { oneOf: [{ $ref: '#/components/schemas/DetailError' }, { $ref: '#/components/schemas/FlatError' }, nested] }),
      422: response('A parameter is wrong', nested),
      429: response('Too many requests: see X-RateLimit-Reset and Retry-After', nested),
      default: response('Something else went wrong', nested),
    },
  }
}

const header = (description: string): Json => ({ description, schema: { type: 'integer' } })

const documentEntry = ({ name, type, summary }: Document): Json => ({
  operationId: name, summary, description: summary, tags: ['system'], security: [{}, { key: [] }, { bearer: [] }],
  responses: {
    200: { description: 'The document', headers: limitHeaders, content: { [type.split(';')[0] ?? '']: { schema: { type: type.startsWith('application/json') ? 'object' : 'string' }, ...examplesNamed(name) } } },
    304: { description: 'What If-None-Match named is still the document' },
    401: response('A key that is malformed, revoked or expired', nested),
    422: response('A parameter is wrong', nested),
    429: response('Too many requests: see X-RateLimit-Reset and Retry-After', nested),
    default: response('Something else went wrong', nested),
  },
})

const makePaths = (operations: readonly Operation[], documents: readonly Document[]): Readonly<Record<string, Json>> => {
  const paths: Record<string, Json> = {}
  for (const document of documents) if (document.part !== true) paths[document.path] = { get: documentEntry(document) }
  for (const operation of operations) {
    const [verb = '', path = ''] = operation.route.split(' ')
    const method = verb.toLowerCase()
    paths[path] = { ...paths[path], [method]: entry(operation, method, path) }
  }
  return paths
}
const none: readonly Document[] = []
const pathsMade = new WeakMap<readonly Operation[], WeakMap<readonly Document[], Readonly<Record<string, Json>>>>()
/** Made once: callers choose the host, and nothing here depends on it. */
const pathsOf = (operations: readonly Operation[], documents: readonly Document[]): Readonly<Record<string, Json>> => {
  const made = pathsMade.get(operations) ?? new WeakMap<readonly Document[], Readonly<Record<string, Json>>>()
  const paths = made.get(documents) ?? makePaths(operations, documents)
  pathsMade.set(operations, made.set(documents, paths))
  return paths
}

/** The description of `operations` and `documents` as served under `baseUrl`. */
export const describe = (operations: readonly Operation[], baseUrl: string, documents = none): Json => {
  const paths = pathsOf(operations, documents)
  return {
    openapi: '3.1.0',
    info: { title: 'Hydrophone', version, description: `On-chain intelligence over REST and MCP, from data indexed here: ${supply.about}.${supply.gap === '' ? '' : ` ${supply.gap}`} Times are UTC; 64-bit and larger numbers are decimal strings; unknown stays null.`, contact: { name: 'Operator of this installation', url: baseUrl },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' } },
    servers: [{ url: baseUrl }], tags: [...new Set(operations.map(({ lane }) => lane))].map((name) => ({ name, description: `Lane ${name}` })), paths,
    components: {
      schemas: { NestedError: schemaOf(NestedError, 'output'), FlatError: schemaOf(FlatError, 'output'), DetailError: schemaOf(DetailError, 'output') },
      headers: { RateLimitLimit: header('Requests the current window allows'), RateLimitRemaining: header('Requests left in it'), RateLimitReset: header('When it ends, in Unix seconds') },
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-API-Key' }, bearer: { type: 'http', scheme: 'bearer' } },
    },
  }
}
