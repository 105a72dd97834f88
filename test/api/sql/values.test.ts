/** Values in rows are whole: nothing is cut out of them but what cannot be seen, and rows that are skipped take no memory. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Ask } from '../../../api/operation.js'
import runSql from '../../../api/operations/sql/runSql.js'
import { finiteCsv } from '../../../api/sql/finite.js'
import { startService, type Service } from '../support/service.js'

const megabyte = 1_048_576

describe('SQL for analysts: values', function () {
  this.timeout(120_000)
  let service: Service
  before(async () => { service = await startService() })
  after(() => service.stop())
  const rows = async (query: string): Promise<any> => { const { body, text } = await service.call('POST /v1/sql/rows', { body: { query } }); assert.ok(body.rows, text); return body }
  /** Most bytes of buffers that were there while `work` ran, beyond those before. */
  const most = async (work: (look: () => void) => Promise<unknown>): Promise<number> => {
    const before = process.memoryUsage().arrayBuffers
    let top = before
    await work(() => { top = Math.max(top, process.memoryUsage().arrayBuffers) })
    return top - before
  }

  it('are given whole, with all their spaces and line breaks, and as they are composed', async () => {
    const { rows: [[long, spaced, composed, sum]], truncated } = await rows(`SELECT concat('0x', '${'ab'.repeat(5_000)}') AS a, ' a  b\\t\\nc ' AS b, 'e\u0301' AS c, toString(length(a)) AS d`)
    assert.deepEqual([long, spaced, composed, sum, truncated], [`0x${'ab'.repeat(5_000)}`, ' a  b\t\nc ', 'e\u0301', '10002', false])
    assert.deepEqual((await rows("SELECT ['\u202ea\u200b\\0b\u2028'], tuple('\u{e0041}x')")).rows, [[['ab'], ['x']]])
  })

  it('keep every entry of a map, also where keys look the same', async () => {
    assert.deepEqual((await rows("SELECT map('a\u200b', 1, 'a', 2, 'a\u202e', 3, 'a (2)', 4)")).rows, [[{ 'a (3)': 1, a: 2, 'a (4)': 3, 'a (2)': 4 }]])
    const key = 'k'.repeat(150)
    assert.deepEqual((await rows(`SELECT map('${key}1', 1, '${key}2', 2)`)).rows, [[{ [`${key}1`]: 1, [`${key}2`]: 2 }]])
  })

  it('of rows that are skipped are not kept, however large one is', async () => {
    const part = Buffer.alloc(megabyte / 16, 0x78)
    const grown = await most(async (look) => {
      const made = async function* (): AsyncGenerator<Buffer> {
        yield Buffer.from('["a"]\n["String"]\n["')
        for (let sent = 0; sent < 48 * megabyte; sent += part.length) { look(); await Promise.resolve(); yield part }
        yield Buffer.from('"]\n["next"]\n')
      }
      const analysts = { run: () => Promise.resolve({ queryId: 'q', rows: made() }) }
      const answer: any = await runSql.run({ query: 'SELECT', limit: 10, offset: 1, preview: false }, { services: { analysts }, signal: new AbortController().signal, log: { error: () => undefined }, principal: { keyId: null }, writer: { insert: () => Promise.resolve() } } as unknown as Ask)
      assert.deepEqual([answer.rows, answer.truncated], [[['next']], false])
    })
    assert.ok(grown < 16 * megabyte, `${Math.round(grown / megabyte)} MB`)
  })

  it('go into CSV as they come, however long a text is', async () => {
    for (const fill of ['x', '"']) {
      const part = Buffer.alloc(megabyte / 16, fill)
      const made = async function* (): AsyncGenerator<Buffer> {
        yield Buffer.from('1,"')
        for (let sent = 0; sent < 24 * megabyte; sent += part.length) { await Promise.resolve(); yield part }
        yield Buffer.from('",nan\n')
      }
      let bytes = 0, end = ''
      const grown = await most(async (look) => { for await (const chunk of finiteCsv(made())) { bytes += chunk.length; end = (end + chunk.subarray(-8).toString()).slice(-5); look() } })
      assert.deepEqual([bytes, end], [24 * megabyte + 8, '",\\N\n'])
      assert.ok(grown < 8 * megabyte, `${fill}: ${Math.round(grown / megabyte)} MB`)
    }
  })

  it('are the same in CSV wherever the bytes are cut', async () => {
    const text = fc.array(fc.constantFrom('"', '""', 'nan', 'inf', ',', '\n', 'x'), { maxLength: 8 }).map((parts) => `"${parts.join('').replace(/"/g, '""')}"`)
    const lines = fc.array(fc.array(fc.oneof(text, fc.constantFrom('nan', '-inf', '1.5', 'inf')), { minLength: 1, maxLength: 4 }), { maxLength: 5 })
    await fc.assert(fc.asyncProperty(lines, fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 9 }), async (table, sizes) => {
      const csv = table.map((line) => `${line.join(',')}\n`).join(''), wanted = table.map((line) => `${line.map((one) => (/^-?(nan|inf)$/.test(one) ? '\\N' : one)).join(',')}\n`).join('')
      const made = async function* (): AsyncGenerator<Buffer> {
        for (let at = 0, n = 0; at < csv.length; n++) { const size = sizes[n % sizes.length] ?? 1; await Promise.resolve(); yield Buffer.from(csv.slice(at, at + size)); at += size }
      }
      let given = ''
      for await (const chunk of finiteCsv(made())) given += chunk.toString()
      assert.equal(given, wanted)
    }), { numRuns: 400 })
  })
})
