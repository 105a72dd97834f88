/** Orders that were carried out while the audit log could not be written: they are answered, and their lines are owed. */
import assert from 'node:assert/strict'
import { pino } from 'pino'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { unavailable } from '../../schemas/errors.js'
import { operation, type Operation } from '../../api/operation.js'
import { openOwed } from '../../api/owed.js'
import { operations } from '../../api/registry.js'
import { ending } from '../support/endings.js'
import { startService, type Service } from './support/service.js'

const Line = z.object({ action: z.string(), subject: z.string(), outcome: z.string(), request_id: z.string() })
const ordered = operation({
  name: 'order_words', route: 'POST /v1/test/words', auth: 'public', lane: 'system', tool: false, writes: true, summary: 'For a test.', sources: ['test'], rows: 'rows',
  input: z.object({}), output: z.object({ rows: z.array(z.string()), _meta: z.unknown().optional() }), run: () => Promise.resolve({ rows: [] }), empty: () => Promise.reject(unavailable('ClickHouse', undefined)),
})

describe('an order that was carried out', function () {
  this.timeout(90_000)
  const logged: Record<string, unknown>[] = []
  let service: Service
  let insert: Store['insert']
  before(async () => {
    const log = pino({ level: 'warn' }, { write: (line: string) => { logged.push(JSON.parse(line) as Record<string, unknown>) } })
    service = await startService({}, { log, operations: [...operations, ordered as unknown as Operation] })
    ;({ insert } = service.api.parts.writer)
  })
  after(ending(() => service))
  afterEach(() => { Object.assign(service.api.parts.writer, { insert }) })
  /** Lines of the audit log go through `write` from now on. */
  const audited = (write: (rows: readonly object[]) => Promise<void>): void => {
    Object.assign(service.api.parts.writer, { insert: (table: string, rows: readonly object[], token?: string) => (table === 'audit' ? write(rows) : insert(table, rows, token)) })
  }
  const away = (): Promise<void> => Promise.reject(unavailable('ClickHouse', undefined))
  const linesOf = (request: string) => service.store.query('SELECT action, subject, outcome, request_id FROM audit WHERE request_id = {request:String}', { request }, Line)

  it('is answered, and written down when that is possible again, once and as done', async () => {
    let tries = 0
    audited((rows) => (++tries < 3 ? away() : insert('audit', rows)))
    const { status, body, headers } = await service.call('POST /v1/keys', { key: null })
    assert.equal(status, 200)
    assert.equal((await service.call('GET /v1/auth/me', { key: body.api_key })).status, 200)
    const request = headers.get('x-request-id') ?? ''
    while ((await linesOf(request)).length === 0) await new Promise((resolve) => { setTimeout(resolve, 100) })
    assert.deepEqual(await linesOf(request), [{ action: 'create_key', subject: (body.api_key as string).slice(4, 12), outcome: 'ok', request_id: request }])
    assert.equal(tries, 3)
  })

  it('is answered soon where the store is silent about the line', async () => {
    let written: () => void = () => undefined
    audited(() => new Promise((resolve) => { written = resolve }))
    const began = Date.now()
    assert.equal((await service.call('POST /v1/keys', { key: null })).status, 200)
    assert.ok(Date.now() - began < 10_000)
    written()
  })

  it('is answered without what cannot be looked up to be said beside it', async () => {
    const { status, body, headers } = await service.call('POST /v1/test/words', { body: {} })
    assert.deepEqual([status, body.rows], [200, []])
    assert.deepEqual((await linesOf(headers.get('x-request-id') ?? '')).map(({ outcome }) => outcome), ['ok'])
  })

  it('stands whole in the log where it cannot be written before the process ends', async () => {
    audited(away)
    const { body, headers } = await service.call('POST /v1/keys', { key: null })
    await service.api.close()
    const [line, ...more] = logged.filter(({ level }) => level === 50)
    assert.deepEqual([more, (line?.['line'] as Record<string, unknown>)['subject'], (line?.['line'] as Record<string, unknown>)['request_id']], [[], (body.api_key as string).slice(4, 12), headers.get('x-request-id')])
    assert.deepEqual(await linesOf(headers.get('x-request-id') ?? ''), [])
    service = await startService()
    ;({ insert } = service.api.parts.writer)
  })
})

describe('owed lines', () => {
  it('are tried so often, and given up once', async () => {
    const lost: unknown[] = []
    const owed = openOwed({ error: (fields: { line?: unknown }) => { lost.push(fields.line) } } as never, [1, 1])
    let tries = 0
    await owed.pay({ no: 1 }, () => { tries++; return Promise.reject(new Error('away')) })
    while (lost.length === 0) await new Promise((resolve) => { setTimeout(resolve, 5) })
    assert.deepEqual([tries, lost], [3, [{ no: 1 }]])
    await owed.close(10)
    assert.equal(lost.length, 1)
  })

  it('are not waited for longer than there is time', async () => {
    const lost: unknown[] = []
    const owed = openOwed({ error: (fields: { line?: unknown }) => { lost.push(fields.line) } } as never)
    void owed.pay({ no: 1 }, () => new Promise(() => undefined))
    void owed.pay({ no: 2 }, () => Promise.resolve())
    await owed.close(50)
    assert.deepEqual(lost, [{ no: 1 }])
  })
})
