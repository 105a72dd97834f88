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
  this.timeout(120_000)
  let service: Service
  let described: any
  before(async () => {
    service = await startService()
    await seed(service.store, 1, 20)
    described = (await service.call('GET /openapi.json')).body
  })
  after(() => service.stop())

  it('no operation fails, whatever it is given', async () => {
    const runs = Number(process.env['FUZZ_RUNS'] ?? 25)
    for (const [path, methods] of Object.entries<any>(described.paths)) {
      for (const [method, entry] of Object.entries<any>(methods)) {
        const parameters: any[] = entry.parameters ?? []
        const members = entry.requestBody?.content['application/json'].schema.properties ?? {}
        const inputs = fc.record({
          path: fc.tuple(...parameters.filter((one) => one.in === 'path').map((one) => valueOf(one.schema))),
          query: fc.record(Object.fromEntries(parameters.filter((one) => one.in === 'query').map((one) => [one.name, valueOf(one.schema)])), { requiredKeys: [] }),
          body: fc.oneof({ weight: 5, arbitrary: fc.record(Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, fc.oneof(valueOf(schema), fc.jsonValue())])), { requiredKeys: [] }) }, fc.jsonValue()),
        })
        await fc.assert(fc.asyncProperty(inputs, async ({ path: values, query, body }) => {
          let place = 0
          const at = path.replace(/\{\w+\}/g, () => encodeURIComponent(Buffer.from(String(values[place++])).toString()) || '%20')
          const asked = new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]))
          const { status, text: answer } = await service.call(`${method.toUpperCase()} ${at}${asked.size > 0 ? `?${asked}` : ''}`, { key: service.adminKey, body: method === 'post' ? JSON.stringify(body) : undefined })
          assert.ok(status < 500, `${method} ${at}?${asked} → ${status} ${answer}`)
        }), { numRuns: Object.keys(members).length + parameters.length === 0 ? 2 : runs, ...(process.env['FUZZ_SEED'] === undefined ? {} : { seed: Number(process.env['FUZZ_SEED']) }) })
      }
    }
  })
})
