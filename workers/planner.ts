/**
 * The planner owns the truth: it compares the node's chain with the plan, ends what a reorg orphaned, cuts what is wanted into
 * batches, and gives every unfinished stage its job. Any number of planners may run: the plan is a compare-and-set log.
 */
import type { Interval, Planned, Target } from '../stages/ledger/ledger.js'
import { pipeline } from '../stages/pipeline.js'
import { applyRollback } from '../stages/rollback.js'
import type { BlockHead, ChainModule } from '../stages/stage.js'
import { AppError, messageOf } from '../schemas/errors.js'
import { whileUnderWay } from '../schemas/givingWay.js'
import type { BatchRef, StageName } from '../schemas/primitives.js'
import { loadSql } from '../schemas/sql.js'
import { openBackfill } from './backfill.js'
import { writeControl } from './controls.js'
import { isFollowed, wantFollow, wantedFrom } from './follow.js'
import { openGround } from './ground.js'
import { openIncident } from './incidents.js'
import { gaps, merge } from './intervals.js'
import { deadId } from './deadLetters.js'
import * as metrics from './metrics.js'
import { jobOptions, pointerTo } from './queues.js'
import { openRescue } from './rescue.js'
import type { Parts } from './runner.js'
import { sweep, sweepSeconds } from './sweep.js'

const observeHead = loadSql(import.meta.url, 'observe_head.sql')

/** Milliseconds after which the plan and what is wanted are read again though the head stands still. */
const readMs = 1_000

/** Batches at the tip of a chain whose blocks go together, when as much waits as a batch may hold: one in the first stages, one in the last. */
const sideBySide = 2

type Head = BlockHead & { readonly finalized: number; readonly endpoint: string }

export interface ChainPlanner { tick(): Promise<void>; rescue(resting?: ReadonlySet<StageName>): Promise<void>; audit(): Promise<void>; /** What is wanted is read again at the next tick. */ readAgain(): void }

export const openChainPlanner = (parts: Parts, module: ChainModule): ChainPlanner => {
  const { ledger, log, store } = parts
  const chain = module.chain.id
  let seen: Head | undefined
  /** Hash of the head that was written down last: one that could not be is tried again at the next look. */
  let written: string | undefined
  let covered: Interval[] | undefined
  let position = { seq: -1, generation: 0 }
  let targets: Target[] = []
  /** How many targets there were when they were read; they are only ever added. */
  let known = -1
  /** When what is wanted is read again: by a clock that nobody sets, as `looked` is. */
  let readDue = -Infinity
  const backfill = openBackfill(parts, module), ground = openGround(ledger, chain), giveAgain = openRescue(parts, chain)
  let told = false
  /** When what waits together was looked at last. */
  let looked = -Infinity
  /** The highest batch of the plan, while all at the tip is known to stand on one another up to it and nobody has moved the plan since. */
  let newest: { readonly to: number; readonly hash: string } | undefined

  const readTargets = async (): Promise<void> => {
    targets = wantedFrom(await ledger.targets(chain), module.startBlock)
    await ground.look(targets, true)
  }

  /** Reads the plan again when another writer moved it. */
  const refresh = async (): Promise<void> => {
    readDue = performance.now() + readMs
    const now = await ledger.position(chain)
    if (now.targets !== known) { await readTargets(); known = now.targets }
    else await ground.look(targets)
    if (covered === undefined || now.seq !== position.seq) {
      newest = undefined
      // Before anything is planned on top, and again until it is done: what a dead planner rolled back and did not delete would be counted into new aggregates.
      for (const rollback of await ledger.unapplied(chain, 0)) if (!rollback.applied) await carryOut(rollback)
      covered = await ledger.intervals(chain)
      position = now
    }
  }

  const enqueue = async (batches: readonly BatchRef[]): Promise<void> => {
    const first = pipeline[0]
    if (first === undefined || batches.length === 0) return
    // The plan is the ledger's: jobs that Redis does not take now are given by the next rescue.
    try {
      await parts.queues[first.name].addBulk(batches.map((batch) => ({ name: first.name, data: pointerTo(batch, false), opts: jobOptions(batch, first.attempts, parts.config.JOB_BACKOFF_MS) })))
    } catch (thrown) { log.warn({ chain, reason: messageOf(thrown) }, 'planned and not queued') }
  }

  const observe = async (head: Head): Promise<void> => {
    metrics.head.set({ chain }, head.number)
    await store.execute(observeHead, { chain, number: head.number, hash: head.hash, time: head.time, finalized: head.finalized, endpoint: head.endpoint })
    written = head.hash
  }

  const halt = async (reason: string): Promise<void> => {
    await writeControl(store, `chain:${chain}`, 'halted', 'planner', reason)
    await openIncident(store, { id: `deep_reorg|${chain}`, chain, kind: 'deep_reorg', severity: 'critical', summary: `${chain} stands still: ${reason}` })
    log.fatal({ chain }, reason)
  }

  /** Ends the batches the node's chain no longer contains; true when the plan stands as it was. */
  const reconcile = async (head: Head): Promise<boolean> => {
    const tips = await ledger.tips(chain, head.number, module.finality + 2)
    let orphan: number | undefined
    /** The hash that the batch above stands on, where that is known: blocks planned while another branch was shown may lie below right ones. */
    let under: { readonly number: number; readonly hash: string } | undefined
    for (const tip of tips) {
      let hash = under?.number === tip.to_block ? under.hash : undefined
      if (hash === undefined) {
        const header = tip.to_block === head.number ? head : await module.source.header(tip.to_block)
        // A node that lacks a block below its own head is not to be believed now.
        if (header === null) {
          seen = undefined
          throw new AppError('NODE_LACKS_BLOCK', `The node's head is ${head.number}, but it has no block ${tip.to_block} below it, which is stored here: it is behind, pruned, or of another chain. A new chain needs a DATA_DIR or CLICKHOUSE_DATABASE of its own`, { retry: 'wait' })
        }
        hash = header.hash
      }
      if (hash !== tip.hash) { orphan = tip.from_block; under = undefined; continue }
      // Below finality nobody asked for parents, and nothing was planned at the tip.
      if (tip.parent_hash === '') break
      under = { number: tip.from_block - 1, hash: tip.parent_hash }
    }
    if (orphan === undefined) {
      const [highest] = tips
      newest = highest !== undefined && highest.to_block === covered?.at(-1)?.to ? { to: highest.to_block, hash: highest.hash } : undefined
      return true
    }
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

  /** All that waits at the tip as one batch. While another is under way it waits together: a slow machine has fewer and larger ones. */
  const planTogether = async (head: Head, wanted: readonly Interval[]): Promise<Planned[]> => {
    const floor = Math.max(-1, head.number - module.finality)
    const [gap] = gaps(wanted.map((one) => ({ from: Math.max(one.from, floor + 1), to: one.to })), covered ?? [])
    if (gap === undefined) return []
    const dead = await ledger.deadJobs(chain)
    const underWay = (await ledger.unfinished(chain, 1_000, Math.max(0, floor - module.maxBatch))).filter(({ batch, stages }) => batch.to > floor && !pipeline.some(({ name }) => !stages.has(name) && dead.has(deadId(name, batch))))
    const to = Math.min(gap.to, gap.from + module.maxBatch - 1)
    if (underWay.length >= (to < gap.to ? sideBySide : 1)) return []
    const [first, last] = await Promise.all([module.source.header(gap.from), module.source.header(to)])
    return first === null || last === null ? [] : [{ from: gap.from, to, hash: last.hash, parentHash: first.parentHash, ...wish(gap.from) }]
  }

  /** Single blocks at the tip, each standing on the one below; stops where the node's chain moves under us. */
  const planTip = async (head: Head, wanted: readonly Interval[]): Promise<Planned[]> => {
    const floor = Math.max(-1, head.number - module.finality)
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
    return { target: target?.id ?? '', floor: target === undefined ? number : ground.under(target.from_block) }
  }

  /** A backfill that cannot be looked into now does not hold up the tip. */
  const planBackfill = async (head: Head, wanted: readonly Interval[]): Promise<Planned[]> => {
    try {
      const pieces = await backfill.pieces(wanted, covered ?? [], head.number - module.finality, position)
      return pieces.map((piece) => ({ ...piece, parentHash: '', ...wish(piece.from) }))
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.retry === 'wait') log.debug({ chain, reason: thrown.message }, 'the backfill waits')
      else log.warn({ chain, reason: messageOf(thrown) }, 'the backfill waits')
      return []
    }
  }

  /** Cuts what is wanted and not covered below `head` into batches, and queues them. */
  const plan = async (head: Head): Promise<void> => {
    const wanted = targets.map((target) => ({ from: target.from_block, to: Math.min(target.to_block, head.number) })).filter((one) => one.from <= one.to)
    const [tip, below] = await Promise.all([module.together !== undefined ? planTogether(head, wanted) : planTip(head, wanted), planBackfill(head, wanted)])
    const planned = [...tip, ...below]
    if (planned.length === 0) return
    await parts.checkpoint('before planning')
    const batches = await ledger.plan(chain, position, planned)
    // Another planner's: the head is compared with it at the next look.
    if (batches === null) { covered = undefined; seen = undefined; return }
    position = { seq: position.seq + 1, generation: position.generation }
    covered = merge([...covered ?? [], ...planned])
    // What fills a gap may be of another branch than what stands above it: the next head is then compared header by header.
    const links = tip.every(({ from, parentHash }, index) => { const below = tip[index - 1] ?? newest; return below !== undefined && from === below.to + 1 && parentHash === below.hash })
    if (tip.length > 0) newest = links ? tip.at(-1) : undefined
    metrics.planned.set({ chain }, covered.at(-1)?.to ?? 0)
    await parts.checkpoint('before queueing')
    await enqueue(batches)
  }

  const lookAt = async (head: Head): Promise<void> => {
    // A head right on top of the plan's own tip proves the plan; any other is compared header by header.
    const follows = (): boolean => newest !== undefined && head.number === newest.to + 1 && head.parentHash === newest.hash
    const isNew = seen?.hash !== head.hash
    // A plan that another planner has moved since is not lost but refused: its place is taken. So a block that follows does not wait for what is wanted to be read, which the next look does.
    if (covered === undefined || (isNew && !follows()) || performance.now() >= readDue + (isNew ? readMs : 0)) await refresh()
    if (!told || !isFollowed(targets, head.number)) {
      if (await wantFollow(ledger, log, chain, await ledger.targets(chain), module.startBlock, head.number)) await readTargets()
      told = true
    }
    if (isNew && !follows() && !(await reconcile(head))) { seen = undefined; return }
    seen = head
    // A new block does not wait until it is written that it was seen: both wait for the disk.
    try { await plan(head) } finally { if (written !== head.hash) await observe(head) }
  }

  return {
    readAgain: () => { readDue = -Infinity },

    /** One look at the node: head, reorgs, new batches. */
    tick: async () => {
      const head = await module.source.head()
      // Heads that nothing is planned for now are not compared with anything either.
      if (module.together !== undefined) {
        // Where a batch is full, more would wait behind it at every look.
        const full = head.number - (covered?.at(-1)?.to ?? 0) >= module.maxBatch
        if (performance.now() < looked + module.together.everyMs / (full ? 4 : 1)) return
        looked = performance.now()
      }
      const look = (): Promise<void> => lookAt(head)
      await (seen?.hash !== head.hash && module.together === undefined ? whileUnderWay(parts.underWay, look) : look())
    },

    /** Gives every unfinished stage of every live batch its job again, but for the stages that rest. */
    rescue: async (resting = new Set()) => {
      for (const rollback of await ledger.unapplied(chain, 0)) if (!rollback.applied) await carryOut(rollback)
      await giveAgain(resting)
    },

    /** Looks after rollbacks: those that are not carried out are, and rows that late writers left go. */
    audit: async () => {
      for (const rollback of await ledger.unapplied(chain, sweepSeconds)) {
        if (!rollback.applied) { await carryOut(rollback); continue }
        await sweep(store, module, rollback)
      }
    },
  }
}
