/** Rows by stream: whole, typed, bounded in memory; limits that are hit; ends that are told. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Ask } from '../../../api/operation.js'
import runSql from '../../../api/operations/sql/runSql.js'
import { publishedIn } from '../../../schemas/analysts.js'
import { seed } from '../support/seed.js'
import { startService, type Service } from '../support/service.js'

const Count = z.object({ count: z.coerce.number() })
/** Fails at its 500,000th row, long after the first bytes have gone. */
const failsLate = "SELECT if(number = 500000, toUInt8(concat('x', toString(number))), 1) AS one FROM numbers(600000)"

describe('SQL for analysts: streams', function () {
  this.timeout(120_000)
  let service: Service
  let proKey: string
  before(async () => {
    service = await startService()
    await seed(service.store, 1_000, 50, new Date('2026-01-01T00:00:00Z'))
    proKey = (await service.api.parts.services.keys.issue({ name: 'pro', role: 'agent', tier: 'pro', rate_limit: 100_000, daily_cap: 0, scopes: [], source_ip: '' })).key
  })
  after(() => service.stop())

  const stream = (query: string, format: string, signal?: AbortSignal, key = proKey): Promise<Response> => fetch(`${service.api.url}/v1/sql`, {
    method: 'POST', headers: { 'X-API-Key': key, 'Content-Type': 'application/json' }, body: JSON.stringify({ query, format }), ...(signal === undefined ? {} : { signal }),
  })
  const rows = (body: object, key = service.agentKey) => service.call('POST /v1/sql/rows', { key, body })
  const audited = async (id: string): Promise<{ outcome: string; detail: string }[]> => {
    const Row = z.object({ outcome: z.string(), detail: z.string() })
    for (;;) {
      const found = await service.store.query('SELECT outcome, detail FROM audit WHERE detail LIKE {id:String}', { id: `%${id}%` }, Row)
      if (found.length > 0) return found
    }
  }
  const running = async (id: string): Promise<number> => (await service.store.query('SELECT count() AS count FROM system.processes WHERE query_id = {id:String}', { id }, Count))[0]?.count ?? 0

  it('gives views with hex addresses, exact amounts and UTC, as CSV and NDJSON', async () => {
    const query = "SELECT block_number, block_time, from_address, amount, value_usd FROM transfers WHERE chain = 'ETH' AND block_number = 1001 AND kind = 'erc20'"
    const csv = await stream(query, 'csv')
    assert.match(csv.headers.get('content-type') ?? '', /^text\/csv/)
    const largest = '115792089237316195423570985008687907853269984665640564039457584007913129639935'
    assert.equal(await csv.text(), `"block_number","block_time","from_address","amount","value_usd"\n1001,"2026-01-01T00:00:12.000Z","0x${'01'.repeat(20)}",${largest},150000\n`)
    const lines = (await (await stream(query, 'ndjson')).text()).trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)
    assert.deepEqual(lines, [{ block_number: '1001', block_time: '2026-01-01T00:00:12.000Z', from_address: `0x${'01'.repeat(20)}`, amount: largest, value_usd: 150_000 }])
  })

  it('gives null for a number that is none, as CSV and JSON', async () => {
    const query = "SELECT number / 0 AS a, -number / 0 AS b, 'x,nan,\"inf\",' AS c, NULL AS d, [number / 0] AS e, 0.5 AS f FROM numbers(2)"
    assert.equal(await (await stream(query, 'csv')).text(), '"a","b","c","d","e","f"\n\\N,\\N,"x,nan,""inf"",",\\N,"[nan]",0.5\n\\N,\\N,"x,nan,""inf"",",\\N,"[inf]",0.5\n')
    const { body } = await rows({ query })
    assert.deepEqual(body.rows[1].slice(0, 2), [null, null])
    const many = await (await stream('SELECT if(number % 7 = 0, nan, 1.5) AS a, if(number % 2 = 0, \'"\', \'x,inf,\') AS b, if(number % 3 = 0, inf, 2) AS c FROM numbers(200000)', 'csv')).text()
    assert.deepEqual([many.includes('nan'), many.split('inf').length - 1, many.split('\n').filter((line) => line.startsWith('\\N,')).length, many.split('\n').filter((line) => line.endsWith(',\\N')).length], [false, 100_000, 28_572, 66_667])
  })

  it('says that there are more rows wherever the bytes were cut, also behind a whole one', async () => {
    // Four thousand bytes a row that are fewer characters; a part of the answer ends with the newline of one.
    const row = Buffer.from(`${JSON.stringify(['€'.repeat(1_333)])}\n`)
    const parts = (counts: readonly number[]) => async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from('["text"]\n["String"]\n')
      for (const count of counts) yield Buffer.concat(Array.from({ length: count }, () => row))
    }
    const ask = (counts: readonly number[], offset = 0): Promise<any> => {
      const analysts = { run: () => Promise.resolve({ queryId: 'q', rows: parts(counts)() }) }
      return runSql.run({ query: 'SELECT', limit: 100, offset, preview: false }, { services: { analysts }, signal: new AbortController().signal, log: { error: () => undefined }, principal: { keyId: null }, writer: { insert: () => Promise.resolve() } } as unknown as Ask) as Promise<any>
    }
    const told = async (counts: readonly number[], offset = 0): Promise<unknown> => { const { count, truncated, more } = await ask(counts, offset); return [count, truncated, more !== null] }
    assert.deepEqual([await told([70, 20]), await told([70]), await told([90, 20], 80), await told([90], 80)], [[70, true, true], [70, false, false], [10, true, true], [10, false, false]])
  })

  it('gives Parquet that reads back as the same rows', async () => {
    const query = "SELECT block_number, tx_hash, toString(amount) AS amount, value_usd FROM transfers WHERE chain = 'ETH' ORDER BY block_number, kind, position"
    const file = Buffer.from(await (await stream(query, 'parquet')).arrayBuffer())
    assert.deepEqual([file.subarray(0, 4).toString(), file.subarray(-4).toString()], ['PAR1', 'PAR1'])
    await service.store.execute('CREATE TABLE parquet_back (block_number UInt64, tx_hash String, amount String, value_usd Nullable(Float64)) ENGINE = Memory')
    const { Readable } = await import('node:stream')
    await service.store.insertStream('INSERT INTO parquet_back FORMAT Parquet', Readable.from([file]), {}, randomBytes(8).toString('hex'))
    const digest = async (from: string): Promise<unknown> => (await service.store.query(`SELECT count() AS count, sum(cityHash64(block_number, tx_hash, amount, value_usd)) AS hash FROM ${from}`, {}, z.object({ count: z.coerce.number(), hash: z.string() })))[0]
    const back = await digest('parquet_back')
    assert.deepEqual(back, await digest(`(SELECT block_number, tx_hash, toString(amount) AS amount, value_usd FROM ${publishedIn(service.database)}.transfers)`))
    assert.equal((back as { count: number }).count, 150)
  })

  it('streams a million rows and more without holding them', async () => {
    const wide = `SELECT number, hex(sipHash128(number)) AS a, '${'x'.repeat(200)}' AS b FROM numbers(1000000)`
    const answer = await stream(wide, 'csv')
    let lines = 0
    let bytes = 0
    let most = 0
    const before = process.memoryUsage().rss
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
      bytes += chunk.length
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++
      most = Math.max(most, process.memoryUsage().rss)
    }
    assert.equal(lines, 1_000_001)
    assert.ok(bytes > 200_000_000)
    // The reader lives in this process, too.
    assert.ok(most - before < 200 * 1024 * 1024, `${Math.round((most - before) / 1024 / 1024)} MB more`)
  })

  it('says that a row does not fit, wherever it is the first of a page, and not that there are more', async () => {
    const row = (length: number): string => JSON.stringify(['x'.repeat(length)])
    const asked = async (parts: string[], offset: number): Promise<any> => {
      const made = async function* (): AsyncGenerator<Buffer> { for (const part of parts) { await Promise.resolve(); yield Buffer.from(part) } }
      const analysts = { run: () => Promise.resolve({ queryId: 'q', rows: made() }) }
      return runSql.run({ query: 'SELECT', limit: 10, offset, preview: false }, { services: { analysts }, signal: new AbortController().signal, log: { error: () => undefined }, principal: { keyId: null }, writer: { insert: () => Promise.resolve() } } as unknown as Ask)
    }
    const head = '["a"]\n["String"]\n'
    // In one part, or in parts that a line goes over.
    for (const parts of [[`${head}${row(5)}\n${row(300_000)}\n${row(7)}\n`], [head, `${row(5)}\n${row(300_000).slice(0, 280_000)}`, `${row(300_000).slice(280_000)}\n${row(7)}\n`]]) {
      const first = await asked(parts, 0)
      assert.deepEqual([first.rows, first.truncated], [[['xxxxx']], true])
      await assert.rejects(asked(parts, 1), { code: 'SQL_LIMIT', message: 'The next row alone is larger than 262,144 bytes.' })
      const last = await asked(parts, 2)
      assert.deepEqual([last.rows, last.truncated], [[['xxxxxxx']], false])
    }
    // What is skipped has no part in how large the first row is.
    const after = await asked([head, `${row(300_000)}\n${row(5).slice(0, 3)}`, `${row(5).slice(3)}\n`], 1)
    assert.deepEqual([after.rows, after.truncated], [[['xxxxx']], false])
    const { status, body } = await rows({ query: "SELECT number, arrayStringConcat(range(number * 50000), ',') AS wide FROM numbers(2) ORDER BY number", offset: 1 })
    assert.deepEqual([status, body.error?.code, body.error?.message], [422, 'SQL_LIMIT', 'The next row alone is larger than 262,144 bytes.'])
  })

  it('tells an error after the first byte: the last line of NDJSON, a broken CSV and Parquet', async () => {
    const answer = await stream(failsLate, 'ndjson')
    assert.equal(answer.status, 200)
    const lines = (await answer.text()).trim().split('\n')
    const last = JSON.parse(lines.at(-1) ?? '') as { _error: { code: string; message: string } }
    assert.ok(lines.length > 1_000)
    assert.equal(last._error.code, 'SQL_INVALID')
    assert.match(last._error.message, /Cannot parse string 'x500000' as UInt8/)
    assert.ok(!lines.some((line) => /DB::|__exception__/.test(line)))
    for (const format of ['csv', 'parquet']) {
      const broken = await stream(failsLate, format)
      const got = broken.status === 200 ? await broken.text().then(() => 'whole', () => 'broken') : 'refused'
      assert.ok(got === 'broken' || (format === 'parquet' && got === 'refused'), `${format}: ${got}`)
    }
    const [line] = await audited(answer.headers.get('x-query-id') ?? '')
    assert.equal(line?.outcome, 'SQL_INVALID')
    assert.ok(!(line?.detail ?? '').includes('toUInt8'))
  })

  it('ends the statement when the caller goes', async () => {
    const gone = new AbortController()
    const answer = await stream(`SELECT number, '${'x'.repeat(1_000)}' AS b FROM numbers(1000000000)`, 'csv', gone.signal)
    const id = answer.headers.get('x-query-id') ?? ''
    await answer.body?.getReader().read()
    assert.equal(await running(id), 1)
    gone.abort()
    while (await running(id) > 0) await new Promise((resolve) => setImmediate(resolve))
    const [line] = await audited(id)
    assert.equal(line?.outcome, 'CALLER_GONE')
    // The slot is free again: both of this tier can be had.
    for (const one of await Promise.all([stream('SELECT 1', 'csv'), stream('SELECT 2', 'csv')])) assert.equal(one.status, 200)
  })

  it('keeps time, rows read, rows answered, memory and statements at once to the tier', async () => {
    const said = async (query: string, body: object = {}): Promise<unknown[]> => { const { status, body: answer } = await rows({ query, ...body }); return [status, answer.error?.code, answer.error?.message] }
    assert.deepEqual(await said('SELECT count() FROM numbers(1000000) AS a, numbers(1000000) AS b WHERE sipHash64(a.number, b.number) = 1'), [422, 'SQL_LIMIT', 'The statement ran longer than 5 s.'])
    assert.deepEqual(await said('SELECT sum(number) FROM numbers(1000000000)'), [422, 'SQL_LIMIT', 'The statement reads more than 100,000,000 rows.'])
    assert.deepEqual(await said('SELECT length(groupArray(number)) FROM numbers(90000000)'), [422, 'SQL_LIMIT', 'The statement needs more than 300 MB of memory.'])
    const { analysts } = service.api.parts.services
    const principal = { keyId: 'x', owner: 'x', quota: 'x', name: '', role: 'agent', tier: 'free', scopes: [], ip: '', perMinute: 1, daily: null } as const
    const run = (query: string) => analysts.run(principal, query, 'CSV', (fault) => { throw fault }, new AbortController().signal)
    await assert.rejects(async () => { const { rows: all } = await run('SELECT number FROM numbers(200000)'); for await (const chunk of all) assert.ok(chunk.length > 0) }, { code: 'SQL_LIMIT', message: 'The answer has more than 100,000 rows.' })
    const { rows: held } = await run('SELECT number FROM numbers(90000)')
    await assert.rejects(run('SELECT 1'), { code: 'RATE_LIMITED' })
    for await (const chunk of held) assert.ok(chunk.length > 0)
    for await (const chunk of (await run('SELECT 1')).rows) assert.equal(chunk.toString(), '1\n')
    assert.equal((await rows({ query: 'SELECT 1' })).status, 200)
  })

  it('gives the first rows, says that there are more, and what a statement would read', async () => {
    const { body } = await rows({ query: 'SELECT number AS n, [\'a\u202eb\'] AS t FROM numbers(5000)', limit: 3 })
    assert.deepEqual([body.columns, body.rows, body.count, body.truncated], [[{ name: 'n', type: 'UInt64' }, { name: 't', type: 'Array(String)' }], [['0', ['ab']], ['1', ['ab']], ['2', ['ab']]], 3, true])
    assert.match(body.more, /POST \/v1\/sql/)
    const all = (await rows({ query: 'SELECT number FROM numbers(100)' })).body
    assert.deepEqual([all.count, all.truncated, all.more], [100, false, null])
    const preview = (await rows({ query: "SELECT * FROM transfers WHERE chain = 'ETH'", preview: true })).body
    assert.deepEqual([preview.rows, preview.estimate.rows, preview.estimate.tables, preview._meta.empty], [[], 150, [{ table: 'transfers', rows: 150 }], undefined])
    const rest = await service.call('POST /v1/sql', { key: proKey, body: { query: 'SELECT * FROM blocks', preview: true } })
    assert.equal(rest.body.estimate.rows, 50)
  })
})
