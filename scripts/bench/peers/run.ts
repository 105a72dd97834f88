/** Every peer in turn on the node our backfill was fed from, each with a cold database of its own. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../../schemas/errors.js'
import type { Store } from '../../../schemas/clickhouse.js'
import { freePort } from '../../embedded/ports.js'
import { beginFolder, endFolder } from '../begun.js'
import { familyCpu, usageOf, watchOthers } from '../processes.js'
import type { Stack } from '../stack.js'
import { countOurs, countTheirs, differences, totalOf, type Persisted } from './counts.js'
import { folderOf, type Peer } from './peer.js'
import { settings, startPostgres, type Postgres } from './postgres.js'
import type { Prepared } from './prepare.js'

/** What a peer did: seconds from its first request to the node until its last row could be read. */
export interface PeerFigure { readonly blocks: number; readonly seconds: number; readonly persisted: Persisted; readonly differences: readonly string[]; readonly cpu: { readonly peer: number; readonly postgres: number }; readonly peak: number; readonly othersShare: number }
export interface PeerResult { readonly name: string; readonly settings: string; readonly figure?: PeerFigure; readonly failure?: string }
export interface PeersResult { readonly postgres: string; readonly postgresSettings: string; readonly ours: Persisted; readonly results: readonly PeerResult[] }

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))
const mostMinutes = 30

/** Our rows in the first so many blocks, for each number of blocks a peer is given. */
export const oursFor = async (store: Store, prepared: readonly Prepared[], from: number, blocks: number): Promise<ReadonlyMap<number, Persisted>> =>
  new Map(await Promise.all([blocks, ...prepared.map(({ peer }) => Math.min(peer.most, blocks))].map(async (count) => [count, await countOurs(store, from, from + count - 1)] as const)))

const run = async (peer: Peer, stack: Stack, postgres: Postgres, directory: string, order: { from: number; blocks: number }, ours: Persisted | undefined): Promise<PeerFigure> => {
  const name = peer.name.toLowerCase().replace(/\W+/g, '_'), home = join(directory, name), to = order.from + order.blocks - 1
  mkdirSync(home)
  const database = postgres.create(name)
  const told = { rpc: stack.nodeUrl, database, from: order.from, to, port: await freePort(), home }
  const asked = async (): Promise<number> => ((await (await fetch(`${stack.nodeUrl}/control`)).json()) as { requests: number }).requests
  const logPath = join(home, 'log'), log = openSync(logPath, 'w')
  const [before, spent] = [await asked(), familyCpu(postgres.pid)]
  const child = spawn(process.execPath, peer.arguments(told), { cwd: folderOf(peer.folder), stdio: ['ignore', log, log], env: { PATH: process.env['PATH'], HOME: home, TMPDIR: home, ...peer.environment(told) } })
  const exited = new Promise<void>((resolve) => child.once('exit', () => { resolve() }))
  const over = (): boolean => child.exitCode !== null || child.signalCode !== null
  const words = (): string => readFileSync(logPath, 'utf8').slice(-1_500)
  const session = postgres.session(database)
  let peak = 0, cpu = 0
  try {
    while (await asked() === before) {
      if (over()) throw new Error(`it ended before it asked the node anything: ${words()}`)
      await pause(20)
    }
    const others = watchOthers(), started = performance.now()
    // Every table's rows of a block are committed together; the last block has transfers.
    const last = `SELECT count(*) FROM blocks WHERE number = ${to} AND EXISTS (SELECT 1 FROM transfers WHERE block_number = ${to})`
    while ((await session.ask(last))[0] !== '1') {
      if (over() && child.exitCode !== 0) throw new Error(`it ended with ${child.exitCode ?? child.signalCode ?? ''}: ${words()}`)
      if (performance.now() - started > mostMinutes * 60_000) throw new Error(`it had not ended after ${mostMinutes} minutes: ${words()}`)
      const usage = usageOf(child.pid)
      peak = Math.max(peak, usage.resident)
      cpu = Math.max(cpu, usage.cpu)
      await pause(50)
    }
    const seconds = (performance.now() - started) / 1_000, othersShare = others()
    const used = { peer: Math.max(cpu, usageOf(child.pid).cpu), postgres: familyCpu(postgres.pid) - spent }
    const persisted = await countTheirs(session, peer.tables, order.from, to)
    return { blocks: order.blocks, seconds, persisted, differences: ours === undefined ? [] : differences(ours, persisted), cpu: used, peak, othersShare }
  } finally {
    session.end()
    if (!over()) child.kill('SIGTERM')
    const timer = setTimeout(() => { child.kill('SIGKILL') }, 10_000)
    await exited
    clearTimeout(timer)
  }
}

/** Blocks `from`… (`blocks` of them, or as many as a peer is given at most); a peer that fails is told of in words and left. */
export const benchPeers = async (prepared: readonly Prepared[], stack: Stack, from: number, blocks: number, ours: ReadonlyMap<number, Persisted>, say: (text: string) => void): Promise<PeersResult> => {
  const directory = beginFolder('peers-')
  // Postgres may run as another account than this process.
  chmodSync(directory, 0o755)
  const postgres = await startPostgres(directory)
  const results: PeerResult[] = []
  try {
    for (const { peer, failure } of prepared) {
      const count = Math.min(peer.most, blocks), about = { name: peer.name, settings: peer.settings }
      if (failure !== undefined) { results.push({ ...about, failure }); continue }
      say(`${peer.name}: ${count} blocks …`)
      try {
        const figure = await run(peer, stack, postgres, directory, { from, blocks: count }, ours.get(count))
        say(`  ${(totalOf(figure.persisted) / figure.seconds).toFixed(0)} rows/s, ${(figure.othersShare * 100).toFixed(0)} % of the CPU was taken by other processes`)
        results.push({ ...about, figure })
      } catch (thrown) {
        results.push({ ...about, failure: messageOf(thrown) })
        say(`  failed: ${messageOf(thrown)}`)
      }
    }
    return {
      postgres: postgres.version, results, ours: ours.get(blocks) ?? { rows: {}, amount: '0' },
      postgresSettings: Object.entries(settings).map(([name, value]) => `${name}=${value}`).join(', '),
    }
  } finally {
    await postgres.stop()
    endFolder(directory)
  }
}
