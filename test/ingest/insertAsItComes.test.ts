/** Inserts of what comes slowly. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { AppError } from '../../schemas/errors.js'
import { insertAsItComes } from '../../stages/ingest/insertAsItComes.js'
import { text, uint64 } from '../../stages/ingest/rows.js'
import { freshStore } from '../support/servers.js'

const quietMs = 50

describe('inserts of what nodes give', () => {
  const opened = async () => {
    const { store } = await freshStore()
    await store.execute('CREATE TABLE slow (number UInt64, word String) ENGINE = MergeTree ORDER BY number')
    let sent = 0
    let fault: Error | undefined
    const counting = { ...store, insertStream: (...of: Parameters<typeof store.insertStream>) => { sent += 1; return fault === undefined ? store.insertStream(...of) : Promise.reject(fault) } }
    const land = (source: AsyncIterable<number>, checkpoint = (): Promise<void> => Promise.resolve()) => insertAsItComes(counting, source, { sql: 'INSERT INTO slow FORMAT RowBinary', params: {}, token: 'slow', encode: (item) => [uint64(item), ...text(`word ${item}`)], checkpoint }, quietMs)
    const numbers = async () => (await store.query('SELECT number, word FROM slow ORDER BY number', {}, z.object({ number: z.coerce.number(), word: z.string() }))).map(({ number, word }) => { assert.equal(word, `word ${number}`); return number })
    return { land, numbers, sent: () => sent, fail: (thrown: Error) => { fault = thrown } }
  }

  it('are one where it comes quickly, and none where nothing does', async () => {
    const { land, numbers, sent } = await opened()
    assert.equal(await land((async function* () { yield 1; yield 2; yield 3 })()), 1)
    assert.equal(await land((async function* () { /* nothing */ })()), 0)
    assert.deepEqual([await numbers(), sent()], [[1, 2, 3], 1])
  })

  it('begin when the first item is there, and end where none comes for a while: all of them land', async () => {
    const { land, numbers, sent } = await opened()
    const source = async function* () {
      await sleep(quietMs * 4)
      assert.equal(sent(), 0)
      yield 1
      yield 2
      await sleep(quietMs * 4)
      // What had come is there before the next comes.
      for (const end = Date.now() + 20_000; (await numbers()).length < 2 && Date.now() < end;) await sleep(5)
      assert.deepEqual(await numbers(), [1, 2])
      yield 3
    }
    assert.equal(await land(source()), 2)
    assert.deepEqual([await numbers(), sent()], [[1, 2, 3], 2])
  })

  it('begin no further one where the batch is another\'s by then', async () => {
    const { land, numbers, sent } = await opened()
    const source = async function* () { yield 1; await sleep(quietMs * 4); yield 2 }
    await assert.rejects(land(source(), () => Promise.reject(new AppError('JOB_LOST', 'another has it'))), { code: 'JOB_LOST' })
    assert.deepEqual([await numbers(), sent()], [[1], 1])
  })

  it('pass on the fault of what gives them, at once or after a while', async () => {
    const { land, numbers } = await opened()
    const failing = async function* (ms: number) { yield 1; await sleep(ms); throw new AppError('RPC_DOWN', 'a node: gone') }
    for (const ms of [0, quietMs * 4]) await assert.rejects(land(failing(ms)), { code: 'RPC_DOWN' })
    assert.ok(new Set(await numbers()).size <= 1)
  })

  it('let what gives them go after a fault of the store', async () => {
    const { land, fail } = await opened()
    fail(new AppError('UPSTREAM_UNAVAILABLE', 'ClickHouse does not answer'))
    let isOver = false
    const source = async function* () { try { for (let number = 0; ; number += 1) { yield number; await sleep(1) } } finally { isOver = true } }
    await assert.rejects(land(source()), { code: 'UPSTREAM_UNAVAILABLE' })
    for (const end = Date.now() + 5_000; !isOver && Date.now() < end;) await sleep(5)
    assert.ok(isOver)
  })
})
