/** Starts a Redis (or Valkey) of our own: loopback, append-only, never evicting. */
import { spawn } from 'node:child_process'
import { mkdirSync, openSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { AppError } from '../../schemas/errors.js'
import type { Embedded } from './clickhouse.js'
import { freePort } from './ports.js'
import { program, type Wanted } from './program.js'

const server: Wanted = {
  title: 'Redis', names: ['redis-server', 'valkey-server'], package: 'redis-server', argument: '--version', code: 'REDIS_MISSING', otherwise: 'Install Redis 6.2 or newer by hand, or set REDIS_URL to a running one.',
}

const ping = (port: number): Promise<boolean> => new Promise((resolve) => {
  const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
  const end = (answer: boolean) => { socket.destroy(); resolve(answer) }
  socket.once('data', (data) => { end(data.toString().startsWith('+PONG')) })
  socket.once('error', () => { end(false) })
  socket.setTimeout(1_000, () => { end(false) })
})

/** A long append-only file is read before it answers; a server that cannot start ends by itself. */
const startMs = 300_000

export const startRedis = async (directory: string, port = 0): Promise<Embedded> => {
  mkdirSync(directory, { recursive: true })
  const listen = port === 0 ? await freePort() : port
  const logPath = join(directory, 'process.log')
  const log = openSync(logPath, 'w')
  const child = spawn(program(server), ['--port', String(listen), '--bind', '127.0.0.1', '--dir', directory, '--appendonly', 'yes', '--appendfsync', 'everysec', '--maxmemory-policy', 'noeviction', '--save', ''], {
    stdio: ['ignore', log, log], detached: true,
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => { resolve() }))
  const stop = async (signal: NodeJS.Signals): Promise<void> => { child.kill(signal); if (child.exitCode === null && child.signalCode === null) await exited }
  for (const deadline = Date.now() + startMs; !(await ping(listen));) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop('SIGKILL')
      throw new AppError('REDIS_FAILED', `Redis did not start in ${directory} (port ${listen}):\n${readFileSync(logPath, 'utf8').slice(-2000)}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return { url: `redis://127.0.0.1:${listen}`, process: child, wrote: () => readFileSync(logPath, 'utf8').slice(-4000), stop: () => stop('SIGTERM'), kill: () => stop('SIGKILL') }
}
