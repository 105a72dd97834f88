/** A Postgres of the bench's own for what is compared: loopback, a free port, its data under `directory`. */
import { execFileSync, spawn } from 'node:child_process'
import { accessSync, chmodSync, chownSync, mkdirSync, openSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../../schemas/errors.js'
import { freePort } from '../../embedded/ports.js'

/** One connection held open: `ask` answers the rows of a statement, columns apart by |. */
export interface Session { ask(sql: string): Promise<string[]>; end(): void }
export interface Postgres {
  readonly version: string
  readonly pid: number | undefined
  /** Makes a database and gives its URL. */
  create(database: string): string
  session(url: string): Session
  stop(): Promise<void>
}

/** Durable writes are off: ClickHouse, beside which it is measured, does not wait for the disk either. */
export const settings = {
  fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', shared_buffers: '512MB', max_wal_size: '4GB', checkpoint_timeout: '30min', jit: 'off',
} as const

const has = (path: string): boolean => { try { accessSync(path); return true } catch { return false } }
const isWhole = (folder: string): boolean => ['initdb', 'postgres', 'psql'].every((name) => has(join(folder, name)))

/** The folder of Postgres's programs; `folders` are looked through in turn. Rejects with how to get them where there are none. */
export const findPostgres = (folders: readonly string[] = candidates()): string => {
  const found = folders.find(isWhole)
  if (found === undefined) {
    throw new AppError('POSTGRES_MISSING', 'The peers write to Postgres, and no folder with initdb, postgres and psql was found.\nOn Debian: apt-get install postgresql-15 (its programs land in /usr/lib/postgresql/15/bin); elsewhere set POSTGRES_BIN to the folder of any Postgres from 14 on.')
  }
  return found
}

/** Whether there is a Postgres to compare with. */
export const hasPostgres = (): boolean => candidates().some(isWhole)

const candidates = (): string[] => {
  const debian = '/usr/lib/postgresql'
  const installed = has(debian) ? readdirSync(debian).sort((left, right) => Number(right) - Number(left)).map((version) => join(debian, version, 'bin')) : []
  return [...(process.env['POSTGRES_BIN'] === undefined ? [] : [process.env['POSTGRES_BIN']]), ...installed, ...(process.env['PATH'] ?? '').split(':')]
}

/** Postgres refuses to run as root: it then runs as the account its package made, or as nobody. */
const account = (): { uid?: number; gid?: number } => {
  if (process.getuid?.() !== 0) return {}
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n').map((line) => line.split(':'))
  const line = lines.find(([name]) => name === 'postgres') ?? lines.find(([name]) => name === 'nobody')
  return { uid: Number(line?.[2] ?? 65_534), gid: Number(line?.[3] ?? 65_534) }
}

/** `directory` must be one that others may enter. Rejects with the server's words when it does not start within 20 seconds. */
export const startPostgres = async (directory: string): Promise<Postgres> => {
  const folder = findPostgres(), owner = account(), data = join(directory, 'data'), port = await freePort(), logPath = join(directory, 'postgres.log')
  mkdirSync(data, { recursive: true })
  chmodSync(data, 0o700)
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(data, owner.uid, owner.gid)
  const env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }
  execFileSync(join(folder, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'], { ...owner, env, cwd: data, stdio: ['ignore', 'ignore', 'pipe'] })
  const log = openSync(logPath, 'w')
  const options = Object.entries({ ...settings, listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '', max_connections: '60' })
  const server = spawn(join(folder, 'postgres'), ['-D', data, ...options.flatMap(([name, value]) => ['-c', `${name}=${value}`])], { ...owner, env, cwd: data, stdio: ['ignore', log, log] })
  const exited = new Promise<void>((resolve) => server.once('exit', () => { resolve() }))
  const url = (database: string) => `postgresql://postgres@127.0.0.1:${port}/${database}`
  const psql = (database: string, sql: string): string => execFileSync(join(folder, 'psql'), ['-qAtX', '-d', url(database), '-c', sql], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  // SIGINT is Postgres's fast shutdown: sessions are cut, nothing is waited for.
  const stop = async (): Promise<void> => { if (server.exitCode === null && server.signalCode === null) server.kill('SIGINT'); await exited }
  for (const deadline = Date.now() + 20_000; ;) {
    try { psql('postgres', 'SELECT 1'); break } catch { /* not listening yet */ }
    if (server.exitCode !== null || Date.now() > deadline) { await stop(); throw new AppError('POSTGRES_FAILED', `Postgres did not start in ${directory}:\n${readFileSync(logPath, 'utf8').slice(-2_000)}`) }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    version: psql('postgres', 'SHOW server_version').split(' ')[0] ?? '', pid: server.pid, stop,
    create: (database) => { psql('postgres', `CREATE DATABASE ${database}`); return url(database) },
    session: (target) => openSession(join(folder, 'psql'), target),
  }
}

const mark = '--answered--'

const openSession = (psql: string, url: string): Session => {
  const child = spawn(psql, ['-qAtX', '-d', url], { stdio: ['pipe', 'pipe', 'ignore'], env: { PATH: process.env['PATH'], LC_ALL: 'C' } })
  const waiting: ((rows: string[]) => void)[] = []
  let text = ''
  child.stdin.on('error', () => { /* the session is over; who asks gets no rows */ })
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8')
    for (let end = text.indexOf(`${mark}\n`); end !== -1; end = text.indexOf(`${mark}\n`)) {
      waiting.shift()?.(text.slice(0, end).split('\n').filter((line) => line !== ''))
      text = text.slice(end + mark.length + 1)
    }
  })
  child.once('exit', () => { for (const resolve of waiting.splice(0)) resolve([]) })
  return {
    // A statement that fails (a table that is not there yet) answers no rows.
    ask: (sql) => new Promise((resolve) => {
      if (child.exitCode !== null) { resolve([]); return }
      waiting.push(resolve)
      child.stdin.write(`${sql};\n\\echo ${mark}\n`)
    }),
    end: () => { child.stdin.end() },
  }
}
