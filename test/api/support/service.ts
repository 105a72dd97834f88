/** A whole API on a database of its own, and a client that checks every answer against the served description. */
import assert from 'node:assert/strict'
import { OpenAPIResponseValidator } from './validator.js'
import { pino } from 'pino'
import { parseConfig } from '../../../schemas/config.js'
import { openStore, type Store } from '../../../schemas/clickhouse.js'
import { startApi, type Api, type ApiOptions } from '../../../api/main.js'
import { clickhouseUrl, freshStore, randomName, redisUrl } from '../../support/servers.js'
import { fakePipeline, type FakePipeline } from './pipeline.js'

export interface Reply { readonly status: number; readonly headers: Headers; readonly body: any; readonly text: string }
export interface Service {
  readonly api: Api
  readonly store: Store
  readonly database: string
  readonly pipeline: FakePipeline
  readonly agentKey: string
  readonly adminKey: string
  /** Calls `target` ('GET /v1/…'); the answer must be what the description says. */
  call(target: string, options?: { key?: string | null; body?: unknown; headers?: Record<string, string> }): Promise<Reply>
  stop(): Promise<void>
}

/** Starts the API in this process; `environment` is added to the usual one. A database that it names is there already, and stays. */
export const startService = async (environment: Record<string, string> = {}, options: Partial<ApiOptions> = {}): Promise<Service> => {
  const given = environment['CLICKHOUSE_DATABASE']
  const { store, database } = given === undefined ? await freshStore() : { store: openStore(await clickhouseUrl(), given), database: given }
  const pipeline = fakePipeline()
  const config = { ...parseConfig({ CLICKHOUSE_DATABASE: database, QUEUE_PREFIX: randomName('q'), PUBLIC_RATE: '1000000', INSTANT_KEY_RATE: '100000', INSTANT_KEY_DAILY: '1000000', SHUTDOWN_SECONDS: '2', ...environment }), PORT: 0 }
  const log = pino({ level: process.env['TEST_LOG'] ?? 'silent' })
  const api = await startApi(config, { clickhouseUrl: await clickhouseUrl(), redisUrl: await redisUrl(), log, pipeline, validate: true, ...options })
  const agent = await api.parts.services.keys.issue({ name: 'agent', role: 'agent', tier: 'free', rate_limit: 1_000_000, daily_cap: 0, scopes: ['read'], source_ip: '' })
  const adminKey = await api.parts.services.keys.ensureAdminKey() ?? ''
  const described = await (await fetch(`${api.url}/openapi.json`)).json() as any
  const call: Service['call'] = async (target, { key = agent.key, body, headers = {} } = {}) => {
    const [method = 'GET', path = '/'] = target.split(/ (.*)/s)
    const answer = await fetch(api.url + path, {
      method, headers: { ...(key === null ? {} : { 'X-API-Key': key }), ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    const isJson = (answer.headers.get('content-type') ?? '').includes('json')
    const reply: Reply = { status: answer.status, headers: answer.headers, body: isJson && text !== '' ? JSON.parse(text) : undefined, text }
    check(described, method, path, reply)
    return reply
  }
  return { api, store, database, pipeline, agentKey: agent.key, adminKey, call, stop: async () => { await api.close(); if (given !== undefined) await store.close() } }
}

interface Described { readonly of: (method: string, path: string) => { validateResponse(status: number, body: unknown): unknown } | undefined }
const kept = new WeakMap<object, Described>()

/** Validators of a description, each made once: making one costs more than a request. */
const described = (description: any): Described => {
  const templates = Object.keys(description.paths).map((template) => ({ template, pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`), fields: template.split('{').length })).sort((a, b) => a.fields - b.fields)
  const validators = new Map<string, ReturnType<Described['of']>>()
  return {
    of: (method, path) => {
      const template = templates.find(({ pattern }) => pattern.test(path))?.template
      const responses = template === undefined ? undefined : description.paths[template][method.toLowerCase()]?.responses
      if (responses === undefined) return undefined
      const name = `${method} ${template}`
      if (!validators.has(name)) validators.set(name, new OpenAPIResponseValidator({ responses, components: description.components }))
      return validators.get(name)
    },
  }
}

/** Throws where `reply` is not what `description` says of `method` and `path`. */
export const check = (description: any, method: string, path: string, reply: Pick<Reply, 'status' | 'body' | 'text'>): void => {
  if (reply.body === undefined) return
  if (!kept.has(description)) kept.set(description, described(description))
  const wrong = kept.get(description)?.of(method, path.split('?')[0] ?? '')?.validateResponse(reply.status, reply.body)
  assert.equal(wrong, undefined, `${method} ${path} → ${reply.status}: ${JSON.stringify(wrong)}\n${reply.text.slice(0, 800)}`)
}
