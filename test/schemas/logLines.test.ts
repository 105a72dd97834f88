import assert from 'node:assert/strict'
import { pino } from 'pino'
import { z } from 'zod'
import { logLines } from '../../schemas/logLines.js'
import { freshStore } from '../support/servers.js'

const Row = z.object({ level: z.string(), service: z.string(), message: z.string(), trace_id: z.string(), stage: z.string(), chain: z.string(), metadata: z.string(), age: z.number() })
const select = `SELECT level, service, message, trace_id, stage, chain, metadata, toFloat64(dateDiff('second', at, now64(3))) AS age FROM logs_service ORDER BY at, message`

describe('log lines', () => {
  it('become rows, what has no column as metadata', async () => {
    const { store } = await freshStore()
    const { stream, flush } = logLines(store, 'api')
    const log = pino({ base: { service: 'api' }, level: 'debug' }, stream)
    log.warn({ traceId: 'abc', stage: 'enrich', chain: 'ETH', odd: 'a "quoted"\nline', deep: { list: [1, null] } }, 'häppened')
    log.info('plain')
    await flush()
    const rows = await store.query(select, {}, Row)
    assert.ok(rows.every(({ age }) => age >= 0 && age < 60))
    assert.deepEqual(rows.map(({ level, service, message, trace_id: trace, stage, chain }) => [level, service, message, trace, stage, chain]).sort(), [
      ['info', 'api', 'plain', '', '', ''], ['warn', 'api', 'häppened', 'abc', 'enrich', 'ETH']])
    assert.deepEqual(rows.map(({ metadata }) => JSON.parse(metadata) as object).sort((a, b) => Object.keys(a).length - Object.keys(b).length), [{}, { odd: 'a "quoted"\nline', deep: { list: [1, null] } }])
  })

  it('that are on their way are waited for, too: whoever ends after a flush loses none', async () => {
    const { store } = await freshStore()
    let come = (): void => undefined, pass = (): void => undefined
    const asked = new Promise<void>((resolve) => { come = resolve }), held = new Promise<void>((resolve) => { pass = resolve })
    const { stream, flush } = logLines({ ...store, insertStream: async (...given) => { come(); await held; await store.insertStream(...given) } }, 'api')
    stream.write(`${JSON.stringify({ level: 30, time: Date.now(), msg: 'the last' })}\n`)
    await asked
    const flushed = flush()
    assert.equal(await Promise.race([flushed.then(() => 'ended'), new Promise((resolve) => { setTimeout(resolve, 50, 'waits') })]), 'waits')
    pass()
    await flushed
    assert.deepEqual((await store.query(select, {}, Row)).map(({ message }) => message), ['the last'])
  })

  it('are dropped, and counted, rather than kept without end', async () => {
    const { store } = await freshStore()
    const { stream, flush } = logLines(store, 'api')
    const log = pino({ base: { service: 'api' } }, stream)
    for (let line = 0; line < 5_003; line++) log.info('line')
    await flush()
    const rows = await store.query(`${select} LIMIT 1 BY message`, {}, Row)
    assert.deepEqual(rows.map(({ message }) => message).sort(), ['line', 'log lines were dropped'])
    assert.deepEqual(JSON.parse(rows.find(({ level }) => level === 'warn')?.metadata ?? ''), { lines: 3 })
  })
})
