import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { z } from 'zod'
import { startClickHouse } from '../../scripts/embedded/clickhouse.js'
import { afterBatches, afterQuestions, openStore } from '../../schemas/clickhouse.js'
import { AppError } from '../../schemas/errors.js'
import { processAilment } from '../../schemas/machine.js'
import { until } from '../support/pipeline.js'
import { freshStore } from '../support/servers.js'

describe('the store', () => {
  const cases: readonly (readonly [number, string, string])[] = [
    [243, 'STORE_FULL', 'wait'], [241, 'STORE_BUSY', 'attempt'], [202, 'STORE_BUSY', 'attempt'], [210, 'UPSTREAM_UNAVAILABLE', 'wait'],
    [516, 'STORE_DENIED', 'attempt'], [194, 'STORE_DENIED', 'attempt'], [81, 'STORE_EMPTY', 'attempt'], [60, 'STORE_EMPTY', 'attempt'], [62, 'STORE_REFUSED', 'attempt'],
  ]
  const full = 'errno: 28, strerror: No space left on device', written: readonly (readonly [number, string, string])[] = [
    [75, `Cannot write to file /store/x.bin, ${full}`, 'STORE_FULL'], [76, `Cannot open file /store/x.bin: , ${full}`, 'STORE_FULL'],
    [75, 'Cannot write to file /store/x.bin, errno: 5, strerror: Input/output error', 'STORE_REFUSED'], [76, 'Cannot open file /store/errno: 280, errno: 2, strerror: No such file or directory', 'STORE_REFUSED'], [27, `Cannot parse input: expected \t before: ${full}`, 'STORE_REFUSED'],
  ]
  it('tells other faults of a whole machine likewise: what waits for them costs no attempt, and what a row says is none', async () => {
    const { store } = await freshStore()
    const open = 'Cannot open file /store/errno: 28/x.bin: , errno:', poll = 'Cannot open epoll descriptor: , errno:'
    const ails: readonly (readonly [number, string, string])[] = [
      [76, `${open} 24, strerror: Too many open files: (while reading column s)`, 'STORE_FILES'], [76, `${open} 23, strerror: Too many open files in system`, 'STORE_FILES'], [573, `${poll} 24, strerror: Too many open files`, 'STORE_FILES'],
      [75, 'Cannot write to file /store/x.bin, errno: 122, strerror: Disk quota exceeded', 'STORE_QUOTA'], [76, `${open} 30, strerror: Read-only file system`, 'STORE_READ_ONLY'], [458, 'Cannot unlink file /store/x.bin, errno: 30, strerror: Read-only file system', 'STORE_READ_ONLY'],
      [586, 'Cannot create file, errno: 28, strerror: No space left on device', 'STORE_FULL'],
    ]
    for (const [code, text, name] of ails) await assert.rejects(store.query('SELECT throwIf(1, {text:String}, toInt16({code:Int16})) AS x', { code, text }, z.unknown(), { allow_custom_error_code_in_throwif: 1 }), { code: name, status: 503, retry: 'wait' }, text)
    for (const text of [`Cannot parse input: ${poll} 24, strerror: Too many open files`]) await assert.rejects(store.query('SELECT throwIf(1, {text:String}, toInt16(27)) AS x', { text }, z.unknown(), { allow_custom_error_code_in_throwif: 1 }), { code: 'STORE_REFUSED', retry: 'attempt' }, text)
  })

  it('tells them where the server had asked the file system alone, and where this process has no file left to ask with', async () => {
    let what = ''
    const server = createServer((_, answer) => { answer.statusCode = 500; answer.end(`std::exception. Code: 1001, type: std::__1::filesystem::filesystem_error, e.what() = filesystem error: ${what}\nCannot print extra info for Poco::Exception (version 26.7.2.1)\n`) }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const store = openStore(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'default')
    try {
      for (const [said, code, retry] of [
        ['in create_directories: Read-only file system ["/store/tmp_insert_all_5_5_0"]', 'STORE_READ_ONLY', 'wait'], ['in create_directories: No space left on device ["/store/x"]', 'STORE_FULL', 'wait'], ['in rename: Disk quota exceeded ["/store/x"] ["/store/y"]', 'STORE_QUOTA', 'wait'],
        ['in directory_iterator::directory_iterator(...): Too many open files ["/store/x"]', 'STORE_FILES', 'wait'], ['in create_directories: No such file or directory ["/store/Read-only file system ["]', 'STORE_FAILED', 'attempt'],
      ] as const) { what = said; await assert.rejects(store.insert('x', [{ x: 1 }]), { code, retry, status: 503 }, said) }
    } finally { await store.close(); server.close() }
    for (const code of ['EMFILE', 'ENFILE']) assert.deepEqual([processAilment(Object.assign(new Error(`connect ${code} 127.0.0.1:8123`), { code }))].map((one) => [one?.code, one?.retry]), [['PROCESS_FILES', 'wait']])
    assert.equal(processAilment(new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ENOSPC' }) }))?.code, 'PROCESS_FULL')
    for (const thrown of [new Error('EMFILE'), Object.assign(new Error('x'), { code: 'ENOENT' }), new AppError('EMFILE', 'x'), 'EMFILE', undefined, null]) assert.equal(processAilment(thrown), undefined)
  })

  it('tells a disk that was full only when it was written to, and takes no text of a row for that', async () => {
    const { store } = await freshStore()
    for (const [code, text, name] of written) await assert.rejects(store.query('SELECT throwIf(1, {text:String}, toInt16({code:Int16})) AS x', { code, text }, z.unknown(), { allow_custom_error_code_in_throwif: 1 }), { code: name, retry: name === 'STORE_FULL' ? 'wait' : 'attempt' }, text)
  })

  it('tells by the code of an error whether it is waited out: a full disk is, like an outage', async () => {
    const { store } = await freshStore()
    for (const [code, name, retry] of cases) {
      const asked = store.query('SELECT throwIf(1, \'no\', toInt16({code:Int16})) AS x', { code }, z.unknown(), { allow_custom_error_code_in_throwif: 1 }).catch((thrown: unknown) => thrown)
      const { code: got, retry: decision } = await asked as { code: string; retry: string }
      assert.deepEqual([code, got, decision], [code, name, retry])
    }
  })

  it('whose files are gone is there and cannot answer: 503, as while it is away', async function () {
    this.timeout(60_000)
    const directory = mkdtempSync(join(tmpdir(), 'hydrophone-test-')), server = await startClickHouse(directory), store = openStore(server.url, 'default')
    try {
      await store.execute('CREATE TABLE lost (x UInt64, s String) ENGINE = MergeTree ORDER BY x SETTINGS min_bytes_for_wide_part = 0')
      await store.execute('INSERT INTO lost SELECT number, toString(number) FROM numbers(1000)')
      rmSync(join(directory, 'store'), { recursive: true, force: true })
      for (const asked of ['SELECT x FROM lost WHERE x = 7', 'SELECT max(s) AS s FROM lost']) await assert.rejects(store.query(asked, {}, z.unknown()), { status: 503, retry: 'attempt' }, asked)
      await assert.rejects(store.query('SELECT nothing', {}, z.unknown()), { status: 500, code: 'STORE_REFUSED' })
    } finally { await store.close(); await server.kill(); rmSync(directory, { recursive: true, force: true }) }
  })

  it('a statement that fails after much of its answer went out is an error with its own code, never a shorter answer', async () => {
    const { store } = await freshStore()
    const of = (rows: number, fails: number) => store.query('SELECT number, repeat(\'x\', 40) AS text, throwIf(number = {fails:UInt64}, \'no\', toInt16(241)) AS t FROM numbers({rows:UInt64})', { rows, fails }, z.unknown(), { allow_custom_error_code_in_throwif: 1, max_block_size: 1_000 })
    for (const fails of [0, 700, 1_400, 5_000, 12_345, 100_000, 250_001, 299_999]) await assert.rejects(of(300_000, fails), { code: 'STORE_BUSY' }, String(fails))
    assert.equal((await of(300_000, 300_000)).length, 300_000)
  })

  it('a small answer waits in memory until it is whole: the server makes no file for it', async () => {
    const { store } = await freshStore()
    const opened = async (): Promise<number> => (await store.query("SELECT toFloat64(sum(value)) AS files FROM system.events WHERE event = 'FileOpen'", {}, z.object({ files: z.number() })))[0]?.files ?? -1
    // Others use the server too: one moment in which nobody opened a file is enough, and a file for each answer would leave none.
    let none = false
    for (let looks = 0; !none && looks < 500; looks += 1) {
      const before = await opened()
      assert.ok(before > 0, 'the server counts files it opens')
      none = await opened() === before
    }
    assert.ok(none)
  })

  it('nice to others: all it says to the server gives way, and nothing else does', async () => {
    const { store, url, database } = await freshStore()
    const behind = openStore(url, database, { nice: afterBatches })
    const niceOf = async (one: typeof store) => (await one.query("SELECT toInt32(getSetting('os_threads_nice_value_query')) AS nice", {}, z.object({ nice: z.number() })))[0]?.nice
    assert.match(readFileSync(new URL('../../schemas/merges.xml', import.meta.url), 'utf8'), new RegExp(`merge_mutate>${afterQuestions}</`), 'merges stand where batches do')
    try { assert.deepEqual([await niceOf(behind), await niceOf(store)], [afterBatches, 0]) } finally { await behind.close() }
  })

  it('one insert runs under a token at a time, and another waits for it; who takes over ends what still runs under it', async () => {
    const { store, database } = await freshStore()
    await store.execute('CREATE TABLE kept (number UInt64) ENGINE = MergeTree ORDER BY number')
    const slow = 'INSERT INTO kept SELECT number + sleepEachRow(0.05) FROM numbers(1000)', settings = { max_block_size: 1, function_sleep_max_microseconds_per_block: 100_000_000 }
    const Running = z.object({ running: z.coerce.number() })
    const running = async (token: string): Promise<number> => (await store.query("SELECT count() AS running FROM system.processes WHERE endsWith(query_id, {end:String}) AND current_database = currentDatabase()", { end: `|${token}` }, Running))[0]?.running ?? 0
    const started = async (token: string): Promise<{ readonly ended: Promise<unknown> }> => {
      const ended = store.execute(slow, {}, { ...settings, token }).catch((thrown: unknown) => thrown)
      await until(async () => await running(token) === 1, 'the insert does not run')
      return { ended }
    }
    const first = await started('one')
    let second = false
    const waiting = store.execute('INSERT INTO kept SELECT 7', {}, { token: 'one' }).then(() => { second = true })
    await assert.rejects(store.feed('INSERT INTO kept FORMAT TSV', Readable.from(['7']), {}, { token: 'one' }), { code: 'STORE_BUSY', retry: 'attempt' })
    await store.over('on', true)
    assert.deepEqual([await running('one'), second], [1, false])
    // Only what runs now: what is waiting is not ended with it.
    await store.execute('KILL QUERY WHERE query_id = {id:String} ASYNC', { id: `${database}|one` })
    assert.ok(await first.ended instanceof AppError)
    await waiting
    await store.over('one')
    assert.deepEqual(await store.query('SELECT number FROM kept WHERE number = 7', {}, z.object({ number: z.string() })), [{ number: '7' }])
    const other = await started('two')
    await store.over('two', true)
    assert.equal(await running('two'), 0)
    assert.ok(await other.ended instanceof AppError)
  })

  it('bounds what a question may hold in memory, and sums by many keys go on from the disk before', async () => {
    const { url, database } = await freshStore(), asking = openStore(url, database, { readOnly: true })
    const bound = z.object({ most: z.coerce.number(), share: z.coerce.number() }), sql = "SELECT getSetting('max_memory_usage') AS most, getSetting('max_bytes_ratio_before_external_group_by') AS share"
    try { assert.deepEqual(await asking.query(sql, {}, bound), [{ most: 8_000_000_000, share: 0.5 }]) } finally { await asking.close() }
  })
})
