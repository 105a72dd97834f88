import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { startRedis } from '../../scripts/embedded/redis.js'
import { checkDisk, checkPort, checkRedis } from '../../scripts/up/checks.js'
import { childEnvironment } from '../../scripts/up/children.js'
import { watchDisk } from '../../scripts/up/disk.js'
import { keep, type Part } from '../../scripts/up/keep.js'
import { takeLock } from '../../scripts/up/lock.js'
import { identify, lives, type Identity } from '../../scripts/up/processes.js'

describe('what up looks at before it starts', () => {
  let directory = ''
  beforeEach(() => { directory = mkdtempSync(join(tmpdir(), 'hydrophone-up-')) })
  afterEach(() => { rmSync(directory, { recursive: true, force: true }) })

  it('a disk without room, and a directory that cannot be made', () => {
    assert.throws(() => { checkDisk(directory, 1024 ** 3, () => ({ bavail: 100, bsize: 4096 })) }, { code: 'DISK_FULL', message: /is full: 0\.00 GiB left, 1\.00 GiB needed at least\. Free some, or choose another: DATA_DIR=/ })
    checkDisk(join(directory, 'a/b'), 4096, () => ({ bavail: 1, bsize: 4096 }))
    writeFileSync(join(directory, 'file'), '')
    for (const wrong of [join(directory, 'file'), join(directory, 'file/below'), '/proc/nothing', '/proc/nothing/below']) assert.throws(() => { checkDisk(wrong) }, { code: 'NO_DATA_DIR', message: /cannot be made or written: .*Choose another: DATA_DIR=/ }, wrong)
  })

  it('a disk that fills while it runs, told once, and that it has room again', async () => {
    const said: string[] = [], left = [8_192, 100, 50, 8_192, 8_192, 100]
    const stop = watchDisk(directory, (line) => { said.push(line) }, 1, () => ({ bavail: left.shift() ?? 100, bsize: 1024 ** 2 }))
    while (left.length > 0 || said.length < 3) await new Promise((resolve) => setImmediate(resolve))
    stop()
    assert.deepEqual(said.map((line) => /almost full: \d+ MiB left|has room again/.exec(line)?.[0]), ['almost full: 100 MiB left', 'has room again', 'almost full: 100 MiB left'])
  })

  it('a port that is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const at = server.address()
    const PORT = typeof at === 'object' && at !== null ? at.port : 0
    await assert.rejects(checkPort({ PORT, HOST: '127.0.0.1' }), { code: 'PORT_TAKEN', message: new RegExp(`^Port ${PORT} on 127\\.0\\.0\\.1 is taken.*PORT=\\d+ npm run up$`) })
    server.close()
    await once(server, 'close')
    await checkPort({ PORT, HOST: '127.0.0.1' })
  })

  it('a host that is not of this machine', async () => {
    // TEST-NET-1: no machine has an address of it.
    for (const HOST of ['192.0.2.1', '2001:db8::1']) await assert.rejects(checkPort({ PORT: 8_080, HOST }), { code: 'HOST_UNUSABLE', message: new RegExp(`^HOST ${HOST} cannot be listened on \\(E[A-Z]+\\): it is no address of this machine\\.`) })
  })

  it('a Redis that is away, that refuses us, that throws keys away', async () => {
    const server = await startRedis(join(directory, 'redis'))
    const redis = new Redis(server.url)
    const said: string[] = []
    const say = (line: string): void => { said.push(line) }
    try {
      await checkRedis(server.url, say)
      assert.deepEqual(said, [])
      await redis.config('SET', 'maxmemory-policy', 'allkeys-lru')
      await checkRedis(server.url, say)
      assert.match(said.join('\n'), /^Redis throws keys away when it is full \(maxmemory-policy allkeys-lru\).*Set it to noeviction\.$/)
      await assert.rejects(checkRedis(`${server.url}/99`, say), { code: 'REDIS_DATABASE', message: /database 99, which REDIS_URL names/ })
      await redis.config('SET', 'requirepass', 'sesame')
      for (const url of [server.url, server.url.replace('//', '//:wrong@')]) await assert.rejects(checkRedis(url, say), { code: 'REDIS_DENIED' })
    } finally {
      redis.disconnect()
      await server.kill()
    }
    await assert.rejects(checkRedis(server.url, say), { message: /^Redis at 127\.0\.0\.1:\d+ \(REDIS_URL\) does not answer$/ })
  })

  it('a machine without Redis and without apt', async () => {
    const path = process.env['PATH']
    process.env['PATH'] = directory
    try {
      await assert.rejects(startRedis(join(directory, 'redis')), { code: 'REDIS_MISSING', message: /neither redis-server nor valkey-server is on PATH.*apt-get update.*\nInstall Redis 6\.2 or newer by hand, or set REDIS_URL/ })
    } finally { process.env['PATH'] = path }
  })

  it('another up on the same directory; what a killed one left is ended', async () => {
    const lock = await takeLock(directory, () => undefined)
    await assert.rejects(takeLock(directory, () => undefined), { code: 'ALREADY_UP', message: new RegExp(`already running on .* \\(process ${process.pid}\\)\\. Stop it with Ctrl-C`) })
    lock.release()
    const left = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' })
    const child = identify(left.pid ?? 0)
    // The process id of this test, but of an earlier process that had it.
    writeFileSync(join(directory, 'up.lock'), JSON.stringify({ pid: process.pid, started: '1', children: [{ name: 'ClickHouse', ...child }, { name: 'gone', pid: process.pid, started: '2' }] }))
    const said: string[] = []
    const again = await takeLock(directory, (line) => { said.push(line) })
    assert.match(said.join('\n'), new RegExp(`ended without stopping; ending what it left: ClickHouse \\(${left.pid}\\)$`))
    assert.equal(lives(child), false)
    again.release()
    writeFileSync(join(directory, 'up.lock'), '{"half')
    ;(await takeLock(directory, () => undefined)).release()
  })

  it('another start that waits for what a killed one left: one of them takes the lock', async () => {
    const left = spawn('sleep', ['30'], { stdio: 'ignore' })
    try {
      writeFileSync(join(directory, 'up.lock'), JSON.stringify({ pid: 2 ** 22 + 1, started: '1', children: [{ name: 'Redis', ...identify(left.pid ?? 0) }] }))
      const taken = await Promise.allSettled([takeLock(directory, () => undefined), takeLock(directory, () => undefined)])
      assert.deepEqual(taken.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    } finally { left.kill('SIGKILL') }
  })

  it('a Redis that is killed while it starts', async () => {
    const path = process.env['PATH']
    writeFileSync(join(directory, 'redis-server'), '#!/bin/sh\n[ "$1" = --version ] || kill -9 $$\n', { mode: 0o700 })
    process.env['PATH'] = `${directory}:${path}`
    try { await assert.rejects(startRedis(join(directory, 'redis')), { code: 'REDIS_FAILED' }) } finally { process.env['PATH'] = path }
  })

  it('only variables of Hydrophone go on to its processes', () => {
    const given = childEnvironment({ PATH: '/bin', ETH_CHAIN_ID: '5', AWS_SECRET: 'x', REDIS_URL: 'redis://other' }, { REDIS_URL: 'redis://own' })
    assert.deepEqual(given, { PATH: '/bin', ETH_CHAIN_ID: '5', REDIS_URL: 'redis://own' })
  })

  it('a part that dies is started again, one that cannot live is given up', async () => {
    const said: string[] = []
    let starts = 0
    const gaveUp = new Promise<string>((resolve) => {
      const dying = async (): Promise<Part> => { starts += 1; return Promise.resolve({ gone: Promise.resolve(), lastWords: () => 'Error: no', stop: async () => undefined }) }
      keep('the worker', dying, { say: (line) => { said.push(line) }, giveUp: resolve, note: () => undefined })
    })
    assert.match(await gaveUp, /^the worker ended unexpectedly \(Error: no\) for the 5th time in 2 minutes$/)
    assert.equal(starts, 5)
    assert.equal(said[0], 'the worker ended unexpectedly (Error: no); starting it again')
  }).timeout(30_000)

  it('a stop while a part is started anew waits for it and stops it', async () => {
    let starts = 0, stopped = 0, die = (): void => undefined, begin = (): void => undefined
    const begun = new Promise<void>((resolve) => { begin = resolve })
    const kept = keep('the API', async (): Promise<Part> => {
      starts += 1
      if (starts === 1) return { gone: new Promise((resolve) => { die = resolve }), stop: async () => undefined }
      begin()
      await new Promise((resolve) => setTimeout(resolve, 200))
      return { gone: new Promise(() => undefined), stop: async () => { stopped += 1 } }
    }, { say: () => undefined, giveUp: () => undefined, note: () => undefined })
    await kept.started
    die()
    await begun
    await kept.stop()
    assert.deepEqual([starts, stopped], [2, 1])
  })

  it('a stop while a part starts, the first time or anew, ends its process and does not wait for the start', async () => {
    for (const nth of [1, 2]) {
      let starts = 0, die = (): void => undefined, tell = (_: Identity): void => undefined
      const spawned = new Promise<Identity>((resolve) => { tell = resolve })
      // It never answers; and like a store that reads its parts, SIGTERM means nothing to it yet.
      const start = async (told: (pid: number) => void): Promise<Part> => {
        starts += 1
        if (starts < nth) return { gone: new Promise((resolve) => { die = resolve }), stop: async () => undefined }
        const child = spawn('sh', ['-c', 'trap "" TERM; echo; while :; do sleep 1; done'], { stdio: ['ignore', 'pipe', 'ignore'] })
        await once(child.stdout, 'data')
        told(child.pid ?? 0)
        tell(identify(child.pid ?? 0))
        await once(child, 'exit')
        throw new Error('it did not start')
      }
      const said: string[] = []
      const kept = keep('ClickHouse', start, { say: (line) => { said.push(line) }, giveUp: () => undefined, note: () => undefined })
      const failed = kept.started.then(() => false, () => true)
      if (nth === 2) { await kept.started; die() }
      const child = await spawned, asked = Date.now()
      assert.ok(lives(child))
      await kept.stop()
      assert.ok(Date.now() - asked < 10_000)
      assert.deepEqual([lives(child), starts, await failed, said.length], [false, nth, nth === 1, nth - 1])
    }
  }).timeout(30_000)

  it('a stop while a part waits to be started anew starts nothing more', async () => {
    let starts = 0, die = (): void => undefined
    const again = new Promise<void>((resolve) => {
      const kept = keep('the API', async (): Promise<Part> => { starts += 1; return Promise.resolve({ gone: new Promise((gone) => { die = gone }), stop: async () => undefined }) }, { say: () => { kept.stop().then(resolve, resolve) }, giveUp: () => undefined, note: () => undefined })
      void kept.started.then(() => { die() })
    })
    await again
    assert.equal(starts, 1)
  })

  it('the process of a part is noted before it answers, and runs where that cannot be', async () => {
    const noted: string[] = [], said: string[] = []
    const silent = (spawned: (pid: number) => void): Promise<Part> => { spawned(7); return new Promise(() => undefined) }
    keep('ClickHouse', silent, { say: () => undefined, giveUp: () => undefined, note: (name, pid) => { noted.push(`${name} ${pid}`) } })
    assert.deepEqual(noted, ['ClickHouse 7'])
    const running = (spawned: (pid: number) => void): Promise<Part> => { spawned(7); return Promise.resolve({ gone: new Promise(() => undefined), stop: async () => undefined }) }
    const kept = keep('ClickHouse', running, { say: (line) => { said.push(line) }, giveUp: () => undefined, note: () => { throw new Error('no space left') } })
    await kept.started
    await kept.stop()
    assert.deepEqual(said, ['ClickHouse cannot be noted: no space left'])
  })
})
