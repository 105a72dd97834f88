/** Starts a Redis (or Valkey) of our own: loopback, append-only, never evicting. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, openSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { AppError } from '../../schemas/errors.js'
import type { Embedded } from './clickhouse.js'
import { freePort } from './ports.js'

const find = (): string | undefined => ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0)

/** The server's program: on PATH, or installed from the system's packages; an error that says what to do where neither works. */
const program = (): string => {
  const present = find()
  if (present !== undefined) return present
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const commands = [['apt-get', 'update', '-q'], ['apt-get', 'install', '-y', '-q', '--no-install-recommends', 'redis-server']]
  for (const command of commands) {
    const [name = '', ...rest] = [...sudo, ...command]
    const done = spawnSync(name, rest, { encoding: 'utf8', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' } })
    if (done.status !== 0) {
      throw new AppError('REDIS_MISSING', `Redis cannot be had: neither redis-server nor valkey-server is on PATH, and '${[...sudo, ...command].join(' ')}' failed (${(done.stderr || String(done.error ?? '')).trim().split('\n').at(-1) ?? ''}).\nInstall Redis 6.2 or newer by hand, or set REDIS_URL to a running one.`)
    }
  }
  const installed = find()
  if (installed === undefined) throw new AppError('REDIS_MISSING', 'The package redis-server was installed but its program is not on PATH. Set REDIS_URL to a running Redis.')
  return installed
}

const ping = (port: number): Promise<boolean> => new Promise((resolve) => {
  const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
  const end = (answer: boolean) => { socket.destroy(); resolve(answer) }
  socket.once('data', (data) => { end(data.toString().startsWith('+PONG')) })
  socket.once('error', () => { end(false) })
  socket.setTimeout(1_000, () => { end(false) })
})

export const startRedis = async (directory: string, port = 0): Promise<Embedded> => {
  mkdirSync(directory, { recursive: true })
  const listen = port === 0 ? await freePort() : port
  const logPath = join(directory, 'process.log')
  const log = openSync(logPath, 'w')
  const child = spawn(program(), ['--port', String(listen), '--bind', '127.0.0.1', '--dir', directory, '--appendonly', 'yes', '--appendfsync', 'everysec', '--maxmemory-policy', 'noeviction', '--save', ''], {
    stdio: ['ignore', log, log], detached: true,
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => { resolve() }))
  const stop = async (signal: NodeJS.Signals): Promise<void> => { child.kill(signal); if (child.exitCode === null && child.signalCode === null) await exited }
  for (const deadline = Date.now() + 20_000; !(await ping(listen));) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop('SIGKILL')
      throw new AppError('REDIS_FAILED', `Redis did not start in ${directory} (port ${listen}):\n${readFileSync(logPath, 'utf8').slice(-2000)}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return { url: `redis://127.0.0.1:${listen}`, process: child, stop: () => stop('SIGTERM'), kill: () => stop('SIGKILL') }
}
