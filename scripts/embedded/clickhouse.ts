/** Starts the embedded ClickHouse: a process of ours that holds `chdb`'s server, on loopback, with its state under `directory`. */
import { spawn, type ChildProcess } from 'node:child_process'
import { openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { analystXml } from '../../schemas/analysts.js'
import { afterQuestions } from '../../schemas/clickhouse.js'
import { AppError } from '../../schemas/errors.js'
import { freePort } from './ports.js'
import { makeOwnDirectory, writeSecretFile } from './secretFile.js'

/** A server of ours: `wrote` gives the end of its own log, up to 4,000 characters. */
export interface Embedded { readonly url: string; readonly process: ChildProcess; wrote(): string; stop(): Promise<void>; kill(): Promise<void> }

/**
 * `secret`: what the path of every request begins with ('': any path). The server's users have no password, so whoever does not know it finds nothing to ask.
 * Every table asks by itself several times a second whether a streaming query, which nobody here has, left it something to do: half of what some hundred idle tables cost. Of that it is
 * asked every ten minutes; whether there is something to merge or change as often as ever: a table that found all busy, of which a DELETE waits to be done, has nothing else that wakes it.
 */
const serverConfig = (secret: string): string => `<clickhouse>
  <users_config>users.xml</users_config>
  <logger><level>none</level></logger>
  <mark_cache_size>134217728</mark_cache_size>
  <background_pool_size>2</background_pool_size>
  <background_streaming_processing_pool_thread_sleep_seconds_if_nothing_to_do>600</background_streaming_processing_pool_thread_sleep_seconds_if_nothing_to_do>
  <background_streaming_processing_pool_task_sleep_seconds_when_no_work_random_part>60</background_streaming_processing_pool_task_sleep_seconds_when_no_work_random_part>
  <os_threads_nice_value_merge_mutate>${afterQuestions}</os_threads_nice_value_merge_mutate>
  <max_concurrent_queries>200</max_concurrent_queries>${secret === '' ? '' : `
  <http_handlers><rule><url>regex:^/${secret}/?([?].*)?$</url><handler><type>dynamic_query_handler</type><query_param_name>query</query_param_name></handler></rule></http_handlers>`}
</clickhouse>
`
// A batch takes and frees hundreds of megabytes. By default the allocator gives them back at once, and faulting them in again was a fifth of
// all CPU; so they are kept, marked as free to take for whoever needs them (the server gives all back where memory runs short).
const allocator = 'oversize_threshold:0,dirty_decay_ms:60000,muzzy_decay_ms:-1'
// This server knows the users of its configuration only: those of analysts stand in it. The library itself comes in as default, which is why that has no password.
const analysts = analystXml()
const users = `<clickhouse>
  <profiles><default></default>${analysts.profiles}</profiles>
  <quotas><default></default>${analysts.quotas}</quotas>
  <users><default>
    <password></password><networks><ip>127.0.0.1</ip><ip>::1</ip></networks>
    <profile>default</profile><quota>default</quota><access_management>1</access_management>
  </default>${analysts.users}</users>
</clickhouse>
`

const exited = (child: ChildProcess): Promise<void> => new Promise((resolve) => {
  if (child.exitCode !== null || child.signalCode !== null) resolve()
  else child.once('exit', () => { resolve() })
})

/** A server that cannot start ends by itself, at once. One with tens of gigabytes on a cold disk reads their parts for minutes before it answers: ending it then would never let it. */
const startMs = 900_000

/** Resolves when the server answers on `port` (any free one if 0); rejects with what it wrote when it ends before that. `secret`: of letters and digits, the path of `url` ('': none). `spawned`: told the process before it answers. */
export const startClickHouse = async (directory: string, port = 0, secret = '', spawned: (pid: number) => void = () => undefined): Promise<Embedded> => {
  makeOwnDirectory(directory)
  writeSecretFile(join(directory, 'config.xml'), serverConfig(secret))
  writeFileSync(join(directory, 'users.xml'), users)
  const http = port === 0 ? await freePort() : port
  const tcp = await freePort()
  const logPath = join(directory, 'process.log')
  const log = openSync(logPath, 'w')
  const script = fileURLToPath(new URL('clickhouse-process.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx/esm', script, join(directory, 'store'), String(http), String(tcp), join(directory, 'config.xml')], {
    stdio: ['ignore', log, log], detached: true, env: { PATH: process.env['PATH'], HOME: process.env['HOME'], JE_MALLOC_CONF: allocator },
  })
  if (child.pid !== undefined) spawned(child.pid)
  const url = `http://127.0.0.1:${http}${secret === '' ? '' : `/${secret}`}`
  const stop = async (signal: NodeJS.Signals): Promise<void> => { child.kill(signal); await exited(child) }
  for (const deadline = Date.now() + startMs; ;) {
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline) {
      await stop('SIGKILL')
      throw new AppError('CLICKHOUSE_FAILED', `The embedded ClickHouse did not start in ${directory} (port ${http}):\n${readFileSync(logPath, 'utf8').slice(-2000)}`)
    }
    try { if ((await fetch(`${url}?query=SELECT%201`)).ok) break } catch { /* not listening yet */ }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return { url, process: child, wrote: () => readFileSync(logPath, 'utf8').slice(-4000), stop: () => stop('SIGTERM'), kill: () => stop('SIGKILL') }
}
