/** `npm test`: one ClickHouse and one Redis for all, then mocha with the arguments given (files; all tests when none are named). */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { messageOf } from '../schemas/errors.js'
import type { Embedded } from './embedded/clickhouse.js'
import { startClickHouse } from './embedded/clickhouse.js'
import { startRedis } from './embedded/redis.js'
import { endDescendants, endOnSignals, openStarted } from './started.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const given = process.argv.slice(2)
// From the last letter to the first: whole processes are tested in workers, stages and scripts, which take minutes, and when the short files of api come last all processors are done at once.
const everything = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts')).sort().reverse().map((file) => join('test', file))
// All of them side by side, as many as the machine has processors: with one more none is sooner through, for the servers work at full load.
const files = given.some((argument) => /\.test\.ts$/.test(argument) || existsSync(argument)) ? [] : [...everything, '--parallel', '--jobs', String(Math.min(8, Math.max(2, availableParallelism())))]

// Before the first server: it outlives whoever started it.
const started = openStarted('hydrophone-test-')
started.ending(endDescendants)
const signalled = endOnSignals(started, (text) => { process.stderr.write(`\n${text}\n`) })

/** Runs mocha; resolves to its exit code and the counts its reporter printed. A server that ends by itself ends the run: every test after it would fail for that. */
const mocha = (clickhouse: Embedded, redis: Embedded): Promise<{ code: number; counts: Record<'passing' | 'failing' | 'pending', number> }> => new Promise((resolve, reject) => {
  const child = spawn(process.execPath, [join(root, 'node_modules/mocha/bin/mocha.js'), ...(process.stdout.isTTY === true ? ['--color'] : []), ...files, ...given], {
    // A group of its own: mocha starts others, which end with it.
    detached: true, cwd: root, stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, NODE_ENV: 'test', TEST_CLICKHOUSE_URL: clickhouse.url, TEST_REDIS_URL: redis.url },
  })
  const over = (): boolean => child.exitCode !== null || child.signalCode !== null
  const end = (signal: NodeJS.Signals): void => { if (child.pid !== undefined && !over()) process.kill(-child.pid, signal) }
  let tail = ''
  child.stdout.on('data', (chunk: Buffer) => { process.stdout.write(chunk); tail = (tail + chunk.toString('utf8')).slice(-1_000_000) })
  for (const [name, server] of Object.entries({ ClickHouse: clickhouse, Redis: redis })) {
    server.process.once('exit', (code, signal) => {
      if (over() || signalled()) return
      process.stderr.write(`\n${name} of the tests ended by itself (${signal ?? `exit code ${code ?? '?'}`}); it wrote last:\n${server.wrote()}\n`)
      end('SIGTERM')
    })
  }
  child.once('error', reject)
  child.once('close', (code) => {
    // Without the colours of a terminal.
    const plain = tail.replace(/\u001b\[[0-9;]*m/g, '')
    const count = (word: string): number => Number([...plain.matchAll(new RegExp(`^ +(\\d+) ${word}`, 'gm'))].at(-1)?.[1] ?? 0)
    resolve({ code: code ?? 1, counts: { passing: count('passing'), failing: count('failing'), pending: count('pending') } })
  })
})

const directory = started.directory()
const running: Embedded[] = []
try {
  const clickhouse = await startClickHouse(join(directory, 'clickhouse'), 0, '', started.spawned)
  running.push(clickhouse)
  const redis = await startRedis(join(directory, 'redis'), 0, '', started.spawned)
  running.push(redis)
  const { code, counts } = await mocha(clickhouse, redis)
  process.exitCode = code
  if (!signalled()) process.stdout.write(`\n${counts.passing} passed, ${counts.failing} failed${counts.pending > 0 ? `, ${counts.pending} skipped` : ''}\n`)
} catch (thrown) {
  if (!signalled()) process.stderr.write(`${messageOf(thrown)}\n`)
  process.exitCode = 1
} finally {
  for (const server of running.reverse()) await server.kill()
  started.remove(directory)
}
