/**
 * The planner owns the truth: it compares the node's chain with the plan, ends what a reorg orphaned, cuts what is wanted into
 * batches, and gives every unfinished stage its job. Any number of planners may run: the plan is a compare-and-set log.
 */
import type { Interval, Planned, Target } from '../stages/ledger/ledger.js'
import { pipeline } from '../stages/pipeline.js'
import { applyRollback } from '../stages/rollback.js'
import type { BlockHead, ChainModule } from '../stages/stage.js'
import { AppError } from '../schemas/errors.js'
import { batchKey, type BatchRef } from '../schemas/primitives.js'
import { openIncident } from './incidents.js'
import { cut, gaps, merge } from './intervals.js'
import { deadId } from './deadLetters.js'
import * as metrics from './metrics.js'
import { jobOptions } from './queues.js'
import type { Parts } from './runner.js'

/** Bytes of answers a batch should bring: large enough to amortise its statements, small enough to hold in flight. */
const batchBytes = 192 << 20
/** Batches of a backfill that may be planned and not ingested: keeps the batch size adaptive and Redis small. */
const ahead = 8
/** Seconds after a rollback in which late writers are looked for. */
const sweepSeconds = 600

type Head = BlockHead & { readonly finalized: number; readonly endpoint: string }

export interface ChainPlanner { tick(): Promise<void>; rescue(): Promise<void>; audit(): Promise<void> }

export const openChainPlanner = (parts: Parts, module: ChainModule): ChainPlanner => {
  const { ledger, log, store } = parts
  const chain = module.chain.id
  let seen: Head | undefined
  let covered: Interval[] | undefined
  let position = { seq: -1, generation: 0 }
  let targets: Target[] = []
  /** Heights the node turned out to lack, told once each. */
  const lacking = new Set<number>()
  /** The highest batch this planner put into the plan, while nobody has moved the plan since. */
  let newest: Planned | undefined

  /** Reads the plan again when another writer moved it. */
  const refresh = async (): Promise<void> => {
    const [now, wanted] = await Promise.all([ledger.position(chain), ledger.targets(chain)])
    targets = wanted
    if (covered === undefined || now.seq !== position.seq) {
      position = now
      newest = undefined
      covered = await ledger.intervals(chain)
      // Before anything is planned on top: what a dead planner rolled back and did not delete would be counted into new aggregates.
      for (const rollback of await ledger.unapplied(chain, 0)) if (!rollback.applied) await carryOut(rollback)
    }
    targets = await ledger.targets(chain)
  }

  const enqueue = async (batches: readonly BatchRef[]): Promise<void> => {
    const first = pipeline[0]
    if (first === undefined || batches.length === 0) return
    await parts.queues[first.name].addBulk(batches.map((batch) => ({ name: first.name, data: batch, opts: jobOptions(batch, first.attempts, parts.config.JOB_BACKOFF_MS) })))
  }

  const observe = async (head: Head): Promise<void> => {
    metrics.head.set({ chain }, head.number)
    await store.insert('heads', [{
      chain, number: head.number, hash: head.hash, block_time: new Date(head.time * 1_000).toISOString(), finalized: head.finalized, endpoint: head.endpoint, observed_at: new Date().toISOString(),
    }])
  }

  const halt = async (reason: string): Promise<void> => {
    await store.insert('controls', [{ name: `chain:${chain}`, state: 'halted', reason, changed_by: 'planner', changed_at: new Date().toISOString() }])
    await openIncident(store, { id: `deep_reorg|${chain}`, chain, kind: 'deep_reorg', severity: 'critical', summary: `${chain} stands still: ${reason}` })
    log.fatal({ chain }, reason)
  }

  /** Ends the batches the node's chain no longer contains; true when the plan stands as it was. */
  const reconcile = async (head: Head): Promise<boolean> => {
    const tips = await ledger.tips(chain, head.number, module.finality + 2)
    let orphan: number | undefined
    for (const tip of tips) {
      const header = tip.to_block === head.number ? head : await module.source.header(tip.to_block)
      // A node that lacks a block below its own head is not to be believed now.
      if (header === null) {
        seen = undefined
        throw new AppError('NODE_LACKS_BLOCK', `The node's head is ${head.number}, but it has no block ${tip.to_block} below it, which is stored here: it is behind, pruned, or of another chain. A new chain needs a DATA_DIR or CLICKHOUSE_DATABASE of its own`, { retry: 'wait' })
      }
      if (header.hash === tip.hash) break
      orphan = tip.from_block
    }
    if (orphan === undefined) return true
    // Depth counts from our own newest block: a node may show its other chain while that is still the shorter one.
    const top = covered?.at(-1)?.to ?? head.number
    if (top - orphan >= module.finality) {
      await halt(`the node's chain differs from block ${orphan} on, deeper than ${module.finality} blocks below ${top}; nothing was rewritten`)
      return false
    }
    const rollback = await ledger.rollBack(chain, position, orphan, head.hash)
    covered = undefined
    if (rollback === null) return false
    await parts.checkpoint('before carrying out a rollback')
    metrics.rollbacks.inc({ chain })
    log.warn({ chain, from: orphan, generation: rollback.generation }, `reorg: ${top - orphan + 1} blocks from ${orphan} on are rolled back`)
    await carryOut({ seq: rollback.seq, from_block: orphan, generation: rollback.generation })
    await openIncident(store, { id: `reorg|${chain}|${rollback.seq}`, chain, kind: 'reorg', severity: 'info', summary: `Reorg of ${top - orphan + 1} blocks from ${orphan} on`, closed: true })
    return false
  }

  const carryOut = async (rollback: { seq: number; from_block: number; generation: number }): Promise<void> => {
    await applyRollback(store, module, rollback, { always: true })
  }

  /** Single blocks at the tip, each standing on the one below; stops where the node's chain moves under us. */
  const planTip = async (head: Head, wanted: readonly Interval[]): Promise<Planned[]> => {
    const floor = Math.max(0, head.number - module.finality)
    const heights = gaps(wanted.map((one) => ({ from: Math.max(one.from, floor + 1), to: one.to })), covered ?? [])
    const numbers = heights.flatMap((gap) => Array.from({ length: gap.to - gap.from + 1 }, (_, index) => gap.from + index))
    const headers = await Promise.all(numbers.map(async (number): Promise<BlockHead | null> => (number === head.number ? head : module.source.header(number))))
    const planned: Planned[] = []
    for (const [index, number] of numbers.entries()) {
      const header = headers[index]
      const below = planned.at(-1)
      if (header === null || header === undefined || header.number !== number) continue
      if (below !== undefined && below.to === number - 1 && below.hash !== header.parentHash) break
      planned.push({ from: number, to: number, hash: header.hash, parentHash: header.parentHash, ...wish(number) })
    }
    return planned
  }

  const wish = (number: number): { target: string; floor: number } => {
    const target = targets.find((one) => one.from_block <= number && number <= one.to_block)
    return { target: target?.id ?? '', floor: target?.from_block ?? number }
  }

  const planBackfill = async (head: Head, wanted: readonly Interval[]): Promise<Planned[]> => {
    const top = head.number - module.finality
    const missing = gaps(wanted.map((one) => ({ from: one.from, to: Math.min(one.to, top) })).filter((one) => one.from <= one.to), covered ?? [])
    if (missing.length === 0) return []
    const counts = await parts.queues.ingest.getJobCounts('wait', 'prioritized', 'delayed', 'active')
    const room = ahead - Object.values(counts).reduce((sum, count) => sum + count, 0)
    if (room <= 0) return []
    const bytes = await ledger.bytesPerBlock(chain)
    const size = bytes === null ? Math.min(8, module.maxBatch) : Math.max(1, Math.min(module.maxBatch, Math.floor(batchBytes / bytes)))
    // On a grid of whole segments, so that no segment is recomputed by two batches when it need not be.
    const { segmentBlocks } = module.chain
    const pieces = cut(missing, size, Math.max(1, Math.floor(size / segmentBlocks)) * segmentBlocks).slice(0, room)
    const headers = await Promise.all(pieces.map((piece) => module.source.header(piece.to)))
    for (const [index, piece] of pieces.entries()) {
      if (headers[index] !== null || lacking.has(piece.to)) continue
      lacking.add(piece.to)
      await openIncident(store, { id: `lacking|${chain}|${piece.to}`, chain, kind: 'lacking_block', severity: 'warning', summary: `The node has no block ${piece.to}: ${piece.from}–${piece.to} is wanted and cannot be fetched` })
    }
    return pieces.flatMap((piece, index) => {
      const header = headers[index]
      return header === null || header === undefined ? [] : [{ ...piece, hash: header.hash, parentHash: '', ...wish(piece.from) }]
    })
  }

  return {
    /** One look at the node: head, reorgs, new batches. */
    tick: async () => {
      const head = await module.source.head()
      await refresh()
      if (targets.every((target) => target.kind !== 'follow')) {
        await ledger.addTarget(chain, { id: 'follow', kind: 'follow', from: module.startBlock ?? head.number, to: null, by: 'planner' })
        targets = await ledger.targets(chain)
      }
      // A head right on top of the plan's own tip proves the plan; any other is compared header by header.
      const follows = newest !== undefined && head.number === newest.to + 1 && head.parentHash === newest.hash
      if (seen?.hash !== head.hash && !follows && !(await reconcile(head))) { seen = undefined; return }
      const observed = seen?.hash === head.hash ? undefined : observe(head)
      seen = head
      const wanted = targets.map((target) => ({ from: target.from_block, to: Math.min(target.to_block, head.number) })).filter((one) => one.from <= one.to)
      const [tip, below] = await Promise.all([planTip(head, wanted), planBackfill(head, wanted), observed])
      const planned = [...tip, ...below]
      if (planned.length === 0) return
      await parts.checkpoint('before planning')
      const batches = await ledger.plan(chain, position, planned)
      if (batches === null) { covered = undefined; return }
      position = { seq: position.seq + 1, generation: position.generation }
      covered = merge([...covered ?? [], ...planned])
      newest = planned.reduce((highest, one) => (one.to > highest.to ? one : highest), newest ?? { from: 0, to: -1, hash: '', parentHash: '', target: '', floor: 0 })
      metrics.planned.set({ chain }, Math.max(...planned.map((piece) => piece.to)))
      await parts.checkpoint('before queueing')
      await enqueue(batches)
    },

    /** Gives every unfinished stage of every live batch its job again: at start, every minute, and after the loss of Redis. */
    rescue: async () => {
      for (const rollback of await ledger.unapplied(chain, 0)) if (!rollback.applied) await carryOut(rollback)
      const dead = await ledger.deadJobs(chain)
      for (const { batch, stages } of await ledger.unfinished(chain, 20_000)) {
        const stage = pipeline.find((one) => !stages.has(one.name))
        if (stage === undefined || dead.has(deadId(stage.name, batch))) continue
        if (stage.ordered && !(await ledger.isNext(batch, stage.name))) continue
        const queue = parts.queues[stage.name]
        const present = await queue.getJob(batchKey(batch))
        // A failed job without a dead letter (the store was down when it gave up) would block its id for ever.
        if (present !== undefined && await present.isFailed()) await present.remove()
        await queue.add(stage.name, batch, jobOptions(batch, stage.attempts, parts.config.JOB_BACKOFF_MS))
      }
    },

    /** Sweeps rows that late writers left after a rollback; what is found is an incident, for it should be rare. */
    audit: async () => {
      for (const rollback of await ledger.unapplied(chain, sweepSeconds)) {
        if (!rollback.applied) { await carryOut(rollback); continue }
        const swept = await applyRollback(store, module, rollback)
        if (swept > 0) await openIncident(store, { id: `swept|${chain}|${rollback.seq}`, chain, kind: 'late_writer', severity: 'warning', summary: `${swept} rows of orphaned blocks from ${rollback.from_block} on were swept`, closed: true })
      }
    },
  }
}
