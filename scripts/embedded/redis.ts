/** Starts a Redis (or Valkey) of our own: loopback, append-only, never evicting. */
import { spawn } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { AppError } from '../../schemas/errors.js'
import type { Embedded } from './clickhouse.js'
import { freePort } from './ports.js'
import { program, type Wanted } from './program.js'
import { makeOwnDirectory, writeSecretFile } from './secretFile.js'

const server: Wanted = {
  title: 'Redis', names: ['redis-server', 'valkey-server'], package: 'redis-server', argument: '--version', code: 'REDIS_MISSING', otherwise: 'Install Redis 6.2 or newer by hand, or set REDIS_URL to a running one.',
}

const ping = (port: number, password: string): Promise<boolean> => new Promise((resolve) => {
  const socket = connect(port, '127.0.0.1', () => socket.write(`${password === '' ? '' : `AUTH ${password}\r\n`}PING\r\n`))
  const end = (answer: boolean) => { socket.destroy(); resolve(answer) }
  let said = ''
  socket.on('data', (data) => {
    said += data.toString()
    if (said.split('\r\n').length > (password === '' ? 1 : 2)) end(said.includes('+PONG'))
  })
  socket.once('error', () => { end(false) })
  socket.setTimeout(1_000, () => { end(false) })
})

/** A long append-only file is read before it answers; a server that cannot start ends by itself. */
const startMs = 300_000

/** Resolves when the server answers on `port` (any free one if 0). `password`: of letters and digits ('': none); it is in `url`, and in a file, for arguments of a process are read by everybody. `spawned`: told the process before it answers. */
export const startRedis = async (directory: string, port = 0, password = '', spawned: (pid: number) => void = () => undefined): Promise<Embedded> => {
  makeOwnDirectory(directory)
  const listen = port === 0 ? await freePort() : port
  const logPath = join(directory, 'process.log')
  const log = openSync(logPath, 'w')
  const configuration = join(directory, 'redis.conf')
  writeSecretFile(configuration, password === '' ? '' : `requirepass ${password}\n`)
  const child = spawn(program(server), [configuration, '--port', String(listen), '--bind', '127.0.0.1', '--dir', directory, '--appendonly', 'yes', '--appendfsync', 'everysec', '--maxmemory-policy', 'noeviction', '--save', ''], {
    stdio: ['ignore', log, log], detached: true,
  })
  if (child.pid !== undefined) spawned(child.pid)
  const exited = new Promise<void>((resolve) => child.once('exit', () => { resolve() }))
  const stop = async (signal: NodeJS.Signals): Promise<void> => { child.kill(signal); if (child.exitCode === null && child.signalCode === null) await exited }
  for (const deadline = Date.now() + startMs; !(await ping(listen, password));) {
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline) {
      await stop('SIGKILL')
      throw new AppError('REDIS_FAILED', `Redis did not start in ${directory} (port ${listen}):\n${readFileSync(logPath, 'utf8').slice(-2000)}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return { url: `redis://${password === '' ? '' : `:${password}@`}127.0.0.1:${listen}`, process: child, wrote: () => readFileSync(logPath, 'utf8').slice(-4000), stop: () => stop('SIGTERM'), kill: () => stop('SIGKILL') }
}
