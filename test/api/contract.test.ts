/** Every operation of the contract, one by one: routed, guarded, with its parameters, in the description and among the tools. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { describe as describeApi } from '../../api/openapi.js'
import { operations } from '../../api/registry.js'
import { filled, requiredQuery } from './support/examples.js'
import { startService, type Service } from './support/service.js'

const Parameter = z.object({
  name: z.string(), in: z.enum(['query', 'path', 'body']), required: z.boolean(), type: z.enum(['string', 'integer', 'number', 'boolean', 'datetime']),
  min: z.number().optional(), max: z.number().optional(), default: z.unknown().optional(), enum: z.array(z.string()).optional(),
}).strict()
const Endpoint = z.object({ group: z.string(), method: z.enum(['GET', 'POST', 'DELETE']), path: z.string(), auth: z.enum(['public', 'key']), params: z.array(Parameter) }).strict()
const contract = z.array(Endpoint).parse(JSON.parse(readFileSync(new URL('../fixtures/contract/endpoints.json', import.meta.url), 'utf8')))
const routeOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`

/** Not part of the service yet: each answers 404 like any path nobody knows. */
const later = [
  /^\w+ \/oauth\//, /^GET \/\.well-known\/(oauth|openid)/, /^GET \/v1\/auth\/\{idp\}/, /\/v1\/oauth\/grants\//, /\/v1\/audit\/mine$/, /\/v1\/billing\/(portal|status|checkout)\/account$/,
  /^POST \/v1\/register$/, /\/v1\/recover/, /\/v1\/chat(\/stream)?$/, /^POST \/v1\/(lab\/terminal|landing-chat)\/stream$/, /^POST \/v1\/rag\/query$/,
]
/** Answered beside the registry, as documents: no input, no tool, not JSON questions. */
const documents = new Set(['GET /openapi.json', 'GET /openapi-summary.json', 'GET /redoc'])
const isSite = ({ group }: { group: string }): boolean => group === 'discovery (site)'
/** GETs that give documents, listings for machines or downloads, and what is about the caller's own key: no questions for an agent to ask. */
const noTool = /^GET (\/v1\/health|\/mcp\/.*|\/v1\/keys\/mine|\/v1\/verify\/\{content_hash\}\/(canonical|pdf)|\/v1\/(tokens|intelligence)\/emerging)$/
/** Questions that come in a body. */
const askedByPost = new Set(['POST /v1/forensic/screen'])

describe('the contract', () => {
  const described = JSON.parse(JSON.stringify(describeApi(operations, 'http://x')))
  let service: Service
  before(async function () {
    this.timeout(90_000)
    service = await startService()
  })
  after(() => service.stop())

  it('is whole: 132 operations, each once', () => { assert.equal(new Set(contract.map(routeOf)).size, 132) })

  for (const endpoint of contract) {
    const route = routeOf(endpoint)
    const operation = operations.find((one) => one.route === route)
    const schema = operation === undefined ? undefined : z.toJSONSchema(operation.input, { io: 'input' })
    const target = `${endpoint.method} ${filled(endpoint.path)}${endpoint.method === 'GET' ? requiredQuery(endpoint.path, schema?.required ?? []) : ''}`

    if (later.some((pattern) => pattern.test(route))) {
      it(`${route}: not part yet`, async () => {
        const { status, body } = await service.call(target)
        assert.deepEqual([status, body.error, body.method], [404, 'NOT_FOUND', endpoint.method])
        assert.equal(typeof body.hint, 'string')
      })
      continue
    }

    it(`${route}: routed and guarded`, async () => {
      const keyless = await service.call(target, { key: null })
      assert.notEqual(keyless.body?.error, 'NOT_FOUND', 'not routed')
      if (endpoint.auth === 'key') {
        assert.deepEqual([keyless.status, keyless.body.error.code], [401, 'AUTH_REQUIRED'])
        assert.notEqual((await service.call(target)).status, 401)
      } else if (!/revoke$|\/v1\/keys\/(mine|named|attach|exchange)$/.test(route)) assert.notEqual(keyless.status, 401)
      assert.ok(keyless.status < 500, keyless.text)
    })

    if (documents.has(route) || isSite(endpoint)) continue

    it(`${route}: in the registry and the description, with its parameters`, () => {
      assert.ok(operation !== undefined && schema !== undefined, 'not in the registry')
      assert.equal(operation.auth, endpoint.auth)
      const entry = described.paths[endpoint.path]?.[endpoint.method.toLowerCase()]
      const body = entry?.requestBody?.content['application/json'].schema
      for (const wanted of endpoint.params) {
        const field = schema.properties?.[wanted.name] as Record<string, unknown> | undefined
        const seen = wanted.in === 'body' ? { required: body?.required?.includes(wanted.name) === true, schema: body?.properties?.[wanted.name] } : entry?.parameters?.find((one: any) => one.name === wanted.name && one.in === wanted.in)
        assert.ok(field !== undefined && seen?.schema !== undefined, wanted.name)
        assert.deepEqual([schema.required?.includes(wanted.name) === true, seen.required], [wanted.required, wanted.required], `${wanted.name}: required`)
        for (const one of [field, seen.schema]) {
          assert.equal(one.type, wanted.type === 'datetime' ? 'string' : wanted.type, wanted.name)
          if (wanted.type === 'datetime') assert.ok(one.format === 'date-time' || one.pattern !== undefined, `${wanted.name}: a time`)
          if (wanted.min !== undefined) assert.equal(one.minimum, wanted.min, `${wanted.name}: minimum`)
          if (wanted.max !== undefined) assert.equal(one.maximum, wanted.max, `${wanted.name}: maximum`)
          // Where the contract has no upper bound, ours is out of anybody's way.
          else if (wanted.min !== undefined) assert.ok((one.maximum ?? Infinity) >= 1e9, `${wanted.name}: maximum`)
          if (wanted.default !== undefined) assert.deepEqual(one.default, wanted.default, `${wanted.name}: default`)
          if (wanted.enum !== undefined) assert.deepEqual(one.enum, wanted.enum, `${wanted.name}: enum`)
        }
      }
      // More is refused than the contract names only where it says so: required parameters are exactly its own.
      if (endpoint.params.length > 0) assert.deepEqual([...(schema.required ?? [])].sort(), endpoint.params.filter(({ required }) => required).map(({ name }) => name).sort())
    })

    if (endpoint.method === 'GET' ? !noTool.test(route) : askedByPost.has(route)) {
      it(`${route}: a tool`, () => { assert.ok(operation?.tool === true && operation.writes !== true) })
    }
  }
})
