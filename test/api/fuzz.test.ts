/** Random requests made from the served description: no operation ever answers with a 5xx or with something it did not describe. */
import fc from 'fast-check'
import assert from 'node:assert/strict'
import { seed } from './support/seed.js'
import { startService, type Service } from './support/service.js'

const odd = fc.constantFrom('', '0', '-1', '1', 'ETH', 'HL', 'ALL', 'SOL', 'null', '9007199254740993', '18446744073709551616', '1e3', '\u0000', "' OR 1=1 --", '{}', '\u202e', '2026-01-01T00:00:00Z', '0001-01-01T00:00:00Z', `0x${'ab'.repeat(32)}`, '%', '../..')
const text = fc.oneof(odd, fc.string({ maxLength: 40 }), fc.string({ unit: 'binary', maxLength: 20 }))

const valueOf = (schema: any): fc.Arbitrary<unknown> => {
  if (schema?.enum !== undefined) return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...schema.enum) }, text)
  if (schema?.type === 'integer') return fc.oneof({ weight: 4, arbitrary: fc.integer({ min: Math.max(-5, (schema.minimum ?? 0) - 1), max: Math.min(Math.max(300, (schema.minimum ?? 0) + 300), (schema.maximum ?? Number.MAX_SAFE_INTEGER - 1) + 1) }) }, fc.maxSafeInteger(), text)
  if (schema?.type === 'number') return fc.oneof({ weight: 3, arbitrary: fc.double({ min: 0, max: 1e7, noNaN: true }) }, fc.double(), text)
  if (schema?.type === 'boolean') return fc.oneof(fc.boolean(), text)
  if (schema?.format === 'date-time') return fc.oneof(fc.date({ noInvalidDate: true }).map((date) => date.toISOString()), text)
  return fc.oneof({ weight: 2, arbitrary: fc.constantFrom('ETH', 'BTC', 'POLYGON', 'ARB') }, text)
}

describe('fuzz', function () {
  this.timeout(600_000)
  let service: Service
  let described: any
  let answered = 0
  before(async () => {
    service = await startService()
    await seed(service.store, 1, 20)
    described = (await service.call('GET /openapi.json')).body
  })
  after(() => service.stop())

  /** One property of one entry of the description: `runs` requests made of its own parameters and body. */
  const fuzz = async (path: string, method: string, entry: any, runs: number): Promise<void> => {
    // A key of its own: what one operation does to its caller must not end the requests of the others.
    const { key } = await service.api.parts.services.keys.issue({ name: 'fuzz', role: 'admin', tier: 'enterprise', rate_limit: 1_000_000, daily_cap: 0, scopes: [], source_ip: '' })
    const parameters: any[] = entry.parameters ?? []
    const members = entry.requestBody?.content['application/json'].schema.properties ?? {}
    const inputs = fc.record({
      path: fc.tuple(...parameters.filter((one) => one.in === 'path').map((one) => valueOf(one.schema))),
      query: fc.record(Object.fromEntries(parameters.filter((one) => one.in === 'query').map((one) => [one.name, valueOf(one.schema)])), { requiredKeys: [] }),
      body: fc.oneof({ weight: 5, arbitrary: fc.record(Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, fc.oneof(valueOf(schema), fc.jsonValue())])), { requiredKeys: [] }) }, fc.jsonValue()),
    })
    const property = fc.asyncProperty(inputs, async ({ path: values, query, body }) => {
      let place = 0
      const at = path.replace(/\{\w+\}/g, () => encodeURIComponent(Buffer.from(String(values[place++])).toString()) || '%20')
      const asked = new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]))
      const { status, text: answer } = await service.call(`${method.toUpperCase()} ${at}${asked.size > 0 ? `?${asked}` : ''}`, { key, body: method === 'post' ? JSON.stringify(body) : undefined })
      if (status < 300) answered++
      assert.ok(status < 500, `${method} ${at}?${asked} → ${status} ${answer}`)
    })
    // Without parameters every request is the same one.
    return fc.assert(property, { numRuns: Object.keys(members).length + parameters.length === 0 ? 2 : runs, ...(process.env['FUZZ_SEED'] === undefined ? {} : { seed: Number(process.env['FUZZ_SEED']) }) })
  }

  it('no operation fails, whatever it is given', async () => {
    const runs = Number(process.env['FUZZ_RUNS'] ?? 200)
    const entries = Object.entries<any>(described.paths).flatMap(([path, methods]) => Object.entries<any>(methods).map(([method, entry]) => ({ path, method, entry })))
    assert.ok(entries.length > 60)
    // A few side by side: while one waits for the store, others are made up and checked.
    const lane = async (): Promise<void> => { for (let next = entries.shift(); next !== undefined; next = entries.shift()) await fuzz(next.path, next.method, next.entry, runs) }
    const count = entries.length
    await Promise.all(Array.from({ length: 6 }, lane))
    assert.ok(answered > count, `${answered} requests were answered: they were no test`)
  })
})
