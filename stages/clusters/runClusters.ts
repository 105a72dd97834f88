/**
 * One run of the clusters of a chain: from the highest block they have seen up to where the index stage is complete, chunk by chunk. Blocks
 * are noted after all that they changed, so what lies above the highest noted one is of a run that died: it is swept and done again.
 * When a block they have seen is gone, one came below, or older rules saw it (clusterRules), they go back to the block before it; what they lead to is that of a clean run.
 */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { clusterRules } from '../../schemas/bitcoin.js'
import type { Store } from '../../schemas/clickhouse.js'
import { loadSql } from '../../schemas/sql.js'
import { takeLease, type Lease } from './lease.js'
import { countKnown, hasPeelsAbove, loadMemory, sweep, type Memory } from './memory.js'
import { keepNames, readNames, showEntities, takeNames } from './names.js'
import { openRowWriter, readRows } from './rowBinary.js'
import { fenced, insertBlocks, insertLog, insertMoves, insertQuarantine, writeChange, writeMove, type Pen } from './rows.js'

const sql = (name: string) => loadSql(import.meta.url, `${name}.sql`)
const reachSql = sql('reach'), planSql = sql('plan'), epochSql = sql('epoch'), chunkSql = sql('chunk'), groupsSql = sql('groups'), derived = [sql('change_links'), sql('peels')]
const int = z.coerce.number()
const Reach = z.object({ ceiling: int, seen: int, backfilling: z.coerce.boolean() })
const Plan = z.object({ overdue: z.coerce.boolean(), changed: int.nullable(), waiting: int, left: int, newest: int })
const Epoch = z.object({ epoch: int })
const Block = z.object({ number: z.number(), hash: z.string() })
/** While a backfill is on: milliseconds from one chunk to the next, unless what waits is overdue, and inputs of a chunk, a second or two of work. Most backfills are over before the first, and their blocks are then done in large chunks, which cost less a block. */
const asideMs = 60_000, few = 50_000
type Block = z.infer<typeof Block>
type Plan = z.infer<typeof Reach> & z.infer<typeof Plan>

export interface ClusterOptions {
  /** Seconds after which it stops between two chunks, inputs of a chunk, and seconds after which one who is not heard of is dead. */
  readonly seconds?: number; readonly inputs?: number; readonly deadAfter?: number
  /** Addresses from which on nothing more is read into memory: no clusters, no chunk. A chunk may bring more than are left until then. */
  readonly most?: number
  /** Milliseconds from one chunk to the next while a backfill is on. */
  readonly standAsideMs?: number
  /** Called between two writes; tests end the process here. */
  readonly checkpoint?: (where: string) => Promise<void>
}
/** What a run did. rewinds: how often it went back; height: of the highest block seen; waiting: blocks it left to the next run; full: addresses there are, where it stopped because there may be no more. */
export interface ClusterRun { readonly height: number; readonly blocks: number; readonly groups: number; readonly changes: number; readonly quarantined: number; readonly rewinds: number; readonly waiting: number; readonly full?: number }
/** Clusters in memory between two runs of a process, and since when they stand aside for a backfill, or did their last chunk beside it (milliseconds of this process). known: addresses up to a block, counted in the store. */
export interface Holder { memory: Memory | null; aside?: number | undefined; known?: { readonly top: number; readonly addresses: number } }

/** Runs the clusters of `chain`; null when there was nothing to do or another process is at it. */
export const runClusters = async (store: Store, chain: string, holder: Holder, options: ClusterOptions = {}): Promise<ClusterRun | null> => {
  const { seconds = 60, inputs = 400_000, deadAfter = 30, most = Infinity, standAsideMs = asideMs, checkpoint = async () => undefined } = options
  const readPlan = async (): Promise<Plan> => {
    const [reach = { ceiling: -1, seen: -1, backfilling: false }] = await store.query(reachSql, { chain }, Reach)
    const [plan = { overdue: false, changed: null, waiting: 0, left: 0, newest: 0 }] = await store.query(planSql, { chain, ceiling: reach.ceiling, seen: reach.seen, rules: clusterRules }, Plan)
    return { ...reach, ...plan }
  }
  const readEpoch = async (): Promise<number> => (await store.query(epochSql, { chain }, Epoch))[0]?.epoch ?? 0
  /** How many addresses there are, where they are as many as there may be and the plan would have them read, or more to come. */
  const crowd = async ({ seen: top, waiting }: Plan): Promise<number | null> => {
    if (most === Infinity || (waiting === 0 && holder.memory?.top === top)) return null
    if (holder.memory?.top !== top && holder.known?.top !== top) holder.known = { top, addresses: await countKnown(store, chain, top) }
    const addresses = (holder.memory?.top === top ? holder.memory.clusters.addresses.count : holder.known?.addresses) ?? 0
    return addresses >= most ? addresses : null
  }
  const before = await readPlan()
  holder.aside = before.backfilling ? holder.aside ?? performance.now() : undefined
  if (before.waiting + before.left === 0 && before.changed === null && (await readNames(store, chain)).length === 0) return null
  if (holder.aside !== undefined && performance.now() < holder.aside + standAsideMs && !before.overdue && before.changed === null && before.left === 0) return null
  const lease = await takeLease(store, chain, randomUUID(), deadAfter)
  if (lease === null) return null
  const beat = setInterval(() => { lease.hold().catch(() => undefined) }, deadAfter * 250)
  // Versions of who holds the work later are larger, whatever an earlier one still writes.
  let version = lease.seq * 2 ** 20
  const done = { blocks: 0, groups: 0, changes: 0, quarantined: 0, rewinds: 0 }
  const goBack = async (from: number): Promise<void> => {
    holder.memory = null
    done.rewinds += 1
    await lease.hold()
    await store.execute('DELETE FROM btc_cluster_blocks WHERE chain = {chain:String} AND block_number >= {from:UInt64} AND version <= {version:UInt64}', { chain, from, version })
    await checkpoint('went back')
  }
  try {
    for (const ends = performance.now() + seconds * 1_000; ;) {
      // Before the plan: rows that go after it was made are noticed.
      const epoch = await readEpoch(), plan = await readPlan()
      if (performance.now() > ends) return { height: plan.seen, waiting: plan.waiting, ...done }
      version += 1
      const pen: Pen = { chain, writer: lease.writer, version }
      // What went away is taken back in any case: fewer may be left.
      if (plan.changed !== null) { await goBack(plan.changed); continue }
      if (holder.memory === null || holder.memory.top !== plan.seen || holder.memory.newest !== plan.newest || plan.left > 0) {
        const full = await crowd(plan)
        if (full !== null) return { height: plan.seen, waiting: plan.waiting, ...done, full }
        const loaded = await loadMemory(store, chain, plan.seen, plan.newest)
        if (plan.left > 0 || await hasPeelsAbove(store, chain, plan.seen)) { await lease.hold(); await sweep(store, pen, loaded) }
        if (!loaded.clusters.rename()) { await goBack(0); continue }
        await showEntities(store, pen, loaded)
        holder.memory = loaded
        continue
      }
      const memory = holder.memory
      const said = await readNames(store, chain)
      if (said.length > 0) {
        const stands = await takeNames(store, chain, memory, said)
        if (!stands) await goBack(0)
        else await showEntities(store, pen, memory)
        await lease.hold()
        await keepNames(store, pen, said)
        memory.newest = version
        continue
      }
      if (plan.waiting === 0) return { height: plan.seen, waiting: plan.waiting, ...done }
      // Names go on for what is in memory; nothing comes to it.
      const full = await crowd(plan)
      if (full !== null) return { height: plan.seen, waiting: plan.waiting, ...done, full }
      // A backfill goes first: while it is on, a run is one small chunk.
      const aside = plan.backfilling
      if (aside) holder.aside = performance.now()
      const blocks = await store.query(chunkSql, { chain, above: plan.seen, ceiling: plan.ceiling, inputs: aside ? Math.min(inputs, few) : inputs }, Block)
      // What a failure leaves in memory is not what the store holds.
      holder.memory = null
      const counts = await work(store, pen, memory, { blocks, lease, checkpoint, unchanged: async () => await readEpoch() === epoch })
      if (counts === null) continue
      holder.memory = memory
      for (const name of ['blocks', 'groups', 'changes', 'quarantined'] as const) done[name] += counts[name]
      if (aside) return { height: blocks.at(-1)?.number ?? plan.seen, waiting: plan.waiting - counts.blocks, ...done }
    }
  } finally {
    clearInterval(beat)
    await lease.release().catch(() => undefined)
  }
}

interface Work { readonly blocks: readonly Block[]; readonly lease: Lease; checkpoint(where: string): Promise<void>; /** Whether no rows of blocks were taken away since the blocks were listed. */ unchanged(): Promise<boolean> }

/** Does a chunk of blocks and notes them; null when blocks went away meanwhile, and nothing was written. */
const work = async (store: Store, pen: Pen, memory: Memory, { blocks, lease, checkpoint, unchanged }: Work): Promise<{ blocks: number; groups: number; changes: number; quarantined: number } | null> => {
  const { clusters } = memory, { chain, version } = pen
  const log = openRowWriter(), held = openRowWriter(), moves = openRowWriter(), noted = openRowWriter()
  const range = { chain, from: blocks[0]?.number ?? 0, to: blocks.at(-1)?.number ?? 0 }
  let changes = 0, quarantined = 0
  const groups = await readRows(store.read(groupsSql, range), (cursor) => {
    const block = cursor.u32(), index = cursor.u32(), part = cursor.u32(), txid = cursor.fixed(32), count = cursor.length(), ids = cursor.fixed(count * 20)
    const change = clusters.apply(cursor.buffer, ids, count)
    if (change === null) return
    if (change.kind === 'quarantine') quarantined += 1
    else changes += 1
    writeChange(log, held, chain, version, { block, index, part, bytes: cursor.buffer, txid }, change, clusters)
  })
  const address = Buffer.alloc(20), old = Buffer.alloc(20), now = Buffer.alloc(20)
  clusters.moves((n, from, to) => {
    clusters.addresses.write(n, address, 0)
    for (const [root, id] of [[from, old], [to, now]] as const) if (root < 0) id.fill(0); else clusters.addresses.write(root, id, 0)
    writeMove(moves, chain, version, address, old, now)
  })
  for (const { number, hash } of blocks) { noted.text(chain); noted.u64(number); noted.fixed(32, (buffer, at) => { buffer.write(hash, at, 'hex') }); noted.u16(clusterRules); noted.u64(version) }
  if (!await unchanged()) return null
  await lease.hold()
  await checkpoint('decided')
  // The changelog first: by it is known what a run that dies here has touched.
  await insertLog(store, log, pen)
  await checkpoint('changelog')
  // Two threads each, on however many cores: runs go on beside what is asked and what comes at the tip.
  await Promise.all([insertQuarantine(store, held, pen), insertMoves(store, moves, pen), ...derived.map((statement) => fenced(store.execute(statement, { ...range, version, writer: pen.writer }, { max_threads: 2 })))])
  await checkpoint('moves')
  await showEntities(store, pen, memory)
  await lease.hold()
  await checkpoint('entities')
  await insertBlocks(store, noted, pen)
  memory.top = range.to
  memory.newest = version
  await checkpoint('noted')
  return { blocks: blocks.length, groups, changes, quarantined }
}
