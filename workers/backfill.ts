/**
 * What a backfill may put into the plan now. It is bounded by what the ledger has not seen through all stages, so that a stage that is
 * paused or stuck stops the fetching too; what no node has ends as a dead letter and is stepped over. What waits above a batch that gave up
 * is not fetched on, and holds up no other request. The tip is not its business.
 */
import { z } from 'zod'
import { AppError } from '../schemas/errors.js'
import { batchKey, type BatchRef } from '../schemas/primitives.js'
import { loadSql } from '../schemas/sql.js'
import { pipeline } from '../stages/pipeline.js'
import type { BlockHead, ChainModule } from '../stages/stage.js'
import { bury, deadId } from './deadLetters.js'
import { cut, gaps, type Stretch } from './intervals.js'
import type { Parts } from './runner.js'

const stuckSql = loadSql(import.meta.url, 'stuck.sql')
const StuckRow = z.object({ from: z.coerce.number(), until: z.coerce.number() })
/** The stage that goes up block by block, and those before it. */
const ordered = pipeline.slice(0, pipeline.findIndex((stage) => stage.ordered) + 1).map(({ name }) => name)

/** Bytes of answers a batch should bring: large enough to amortise its statements, small enough to hold in flight. */
const batchBytes = 224 << 20
/** `ahead`: batches that may be planned and not ingested (keeps the batch size adaptive and Redis small); `behind`: full batches whose blocks may lie between ingest and the last stage. */
export interface Bounds { readonly ahead: number; readonly behind: number }
export const usualBounds: Bounds = { ahead: 8, behind: 24 }
/** Milliseconds between two looks at what is free: a batch takes longer, and each look is four queries. */
const lookMs = 500
/** Unfinished batches looked at in one go; with more, nothing is planned. */
const most = 2_000
/** Milliseconds for which the weight of a block, and what waits above letters, is taken as known; the latter for so many times as long as reading it took, up to keptMs: the store may have hung. */
const paceMs = 10_000, keptTimes = 20, keptMs = 30_000
/** Looks, with doubling waits, after which what a node lacks is believed. */
const looks = pipeline[0]?.attempts ?? 8

export interface Piece extends Stretch { readonly hash: string }
/** `free`: batches that may be planned; where none, `apart`: as many as if what waits for a dead letter (`held`) were none, for whoever does not go on above it. */
interface Room { readonly free: number; readonly apart: number; readonly held: readonly BatchRef[] }
interface Position { readonly seq: number; readonly generation: number }

export const openBackfill = ({ ledger, store, config, log, bounds: { ahead, behind } }: Parts, module: ChainModule) => {
  const chain = module.chain.id
  /** The stage behind which nothing holds up the plan. Of what goes together nothing is fetched, and what is above a hole in the plan waits at the ordered stage: alerts that are paused are to leave none. */
  const last = module.together === undefined ? 'alert' : 'enrich'
  /** Batches below finality that were not through when last looked at, and the place of the plan they are known up to. */
  let open: BatchRef[] = []
  let known: Position | undefined
  /** When to look again: by a clock that nobody sets, as all that is due here. */
  let lookAgain = 0
  let stuck: { readonly of: string; readonly stretches: readonly z.infer<typeof StuckRow>[]; readonly due: number } = { of: '', stretches: [], due: 0 }
  let pace: { bytes: number | null; due: number } = { bytes: null, due: 0 }
  /** Below it no node has more than headers. */
  let lowest = 0
  const suspects = new Map<number, { looks: number; due: number }>()

  /** Takes over what entered the plan since; reads all of the unfinished at the start and after a rollback only. */
  const catchUp = async (position: Position): Promise<void> => {
    if (known !== undefined && known.generation === position.generation) {
      if (known.seq < position.seq) open = [...open, ...await ledger.plannedSince(chain, known.seq, position.seq)]
    } else open = (await ledger.unfinished(chain, 20_000)).map(({ batch }) => batch)
    known = { seq: position.seq, generation: position.generation }
  }

  /** Blocks of a batch, by what blocks weighed lately; that is looked up now and then, for it reads much of the ledger. */
  const batchSize = async (): Promise<number> => {
    if (pace.bytes === null || pace.due <= performance.now()) pace = { bytes: await ledger.bytesPerBlock(chain), due: performance.now() + paceMs }
    return pace.bytes === null ? Math.min(8, module.maxBatch) : Math.max(1, Math.min(module.maxBatch, Math.floor(batchBytes / pace.bytes)))
  }

  /** Of `batches` those that gave up at the stage that goes up block by block, or before it, and those that wait above them: what the ledger says of that is kept a while, as much of it is read. */
  const heldOf = async (batches: readonly BatchRef[], dead: ReadonlySet<string>): Promise<ReadonlySet<BatchRef>> => {
    const letters = batches.filter((batch) => ordered.some((stage) => dead.has(deadId(stage, batch)))).map(({ from }) => from).sort((a, b) => a - b)
    const of = letters.join(' ')
    if (letters.length > 0 && (stuck.of !== of || stuck.due <= performance.now())) {
      const started = performance.now(), stretches = await store.query(stuckSql, { chain, letters, ordered: ordered.at(-1) }, StuckRow)
      stuck = { of, stretches, due: performance.now() + Math.min(keptMs, Math.max(paceMs, keptTimes * (performance.now() - started))) }
    }
    return new Set(letters.length === 0 ? [] : batches.filter(({ from }) => stuck.stretches.some((one) => one.from <= from && (one.until === 0 || from < one.until))))
  }

  /** How many batches of `size` blocks may be planned. */
  const room = async (size: number, top: number): Promise<Room> => {
    // What a node that was broken for long left waits for the operator, and what waits above a letter for that: of a followed chain there may be any number, and none is on its way.
    const many = open.length >= most
    const gone = many ? await ledger.deadJobs(chain) : new Set<string>()
    const above = many ? await heldOf(open, gone) : new Set<BatchRef>()
    const asked = open.filter((batch) => batch.to <= top && !gone.has(deadId('ingest', batch)))
    const [due, waiting] = [false, true].map((waits) => asked.filter((batch) => above.has(batch) === waits).slice(0, most)) as [BatchRef[], BatchRef[]]
    const looked = [...due, ...waiting], come = await ledger.progress(chain, looked, last)
    open = open.filter((batch) => come.get(batchKey(batch))?.finished !== true)
    if (due.length === most) return { free: 0, apart: 0, held: [] }
    const unfinished = looked.filter((batch) => come.get(batchKey(batch))?.finished !== true)
    const rest = (dead: ReadonlySet<string>, held: ReadonlySet<BatchRef> = new Set()): number => {
      const fetching = unfinished.filter((batch) => !come.has(batchKey(batch)) && !dead.has(deadId('ingest', batch))).length
      const blocks = unfinished.filter((batch) => come.has(batchKey(batch)) && !held.has(batch)).reduce((sum, batch) => sum + batch.to - batch.from + 1, 0)
      return Math.min(ahead - fetching, Math.floor((behind * size - blocks) / size))
    }
    const alone = rest(new Set())
    if (alone > 0 || unfinished.length === 0) return { free: alone, apart: alone, held: [] }
    const dead = many ? gone : await ledger.deadJobs(chain), held = many ? above : await heldOf(unfinished, dead)
    return { free: rest(dead), apart: rest(dead, held), held: [...held] }
  }

  /** `gap`, or where it lies right above what is held, what of it another request begins in: planned, that is told to wait for the letter. */
  const beyond = (gap: Stretch, held: readonly BatchRef[], wanted: readonly Stretch[]): Stretch[] => {
    if (!held.some(({ to }) => to === gap.from - 1)) return [gap]
    const begins = wanted.map(({ from }) => from).filter((from) => from >= gap.from && from <= gap.to)
    return begins.length === 0 ? [] : [{ from: Math.min(...begins), to: gap.to }]
  }

  /** The header of a block that a node has whole, null where none has. */
  const headerOf = async (number: number): Promise<BlockHead | null> => (number < lowest ? null : module.source.header(number))

  /** The first height in `stretch` where `has` turns to `wanted`, if it turns once: its first does not have it, its last may. */
  const turn = async (stretch: Stretch, wanted: boolean): Promise<number> => {
    let [low, high] = [stretch.from, stretch.to + 1]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if ((await headerOf(middle) !== null) === wanted) high = middle
      else low = middle
    }
    return high
  }

  /** Writes off what no node has from `gap.from` on, once it has been looked for often enough. */
  const suspect = async (gap: Stretch, generation: number): Promise<void> => {
    const seen = (suspects.get(gap.from)?.looks ?? 0) + 1
    suspects.set(gap.from, { looks: seen, due: performance.now() + Math.min(60_000, config.JOB_BACKOFF_MS * 2 ** seen) })
    if (seen < looks) return
    suspects.delete(gap.from)
    const to = await turn(gap, true) - 1
    const endpoint = (module.source.names?.() ?? []).join(', ')
    const fault = new AppError('BLOCK_LACKING', `${endpoint}: the node has no block ${gap.from}${to > gap.from ? `, nor ${to}: ${gap.from}–${to} cannot be fetched` : ''}`, { endpoint })
    await bury(store, 'ingest', { chain, from: gap.from, to, hash: '', generation, floor: gap.from }, seen, fault)
    log.error({ chain, from: gap.from, to, endpoint }, fault.message)
  }

  /** The pieces of one gap whose ends the node has, lowest first; it stops at what is lacking. */
  const held = async (gap: Stretch, pieces: readonly Stretch[], generation: number): Promise<Piece[]> => {
    const ends = await Promise.all(pieces.map((piece) => Promise.all([headerOf(piece.from), headerOf(piece.to)])))
    const found: Piece[] = []
    const add = (piece: Stretch, header: BlockHead | null): void => { if (header?.number === piece.to) found.push({ ...piece, hash: header.hash }) }
    for (const [index, piece] of pieces.entries()) {
      const [first, last] = ends[index] ?? [null, null]
      if (first === null) { await suspect({ from: piece.from, to: gap.to }, generation); break }
      suspects.delete(piece.from)
      if (last !== null) { add(piece, last); continue }
      const to = await turn(piece, false) - 1
      add({ from: piece.from, to }, await headerOf(to))
      break
    }
    return found
  }

  return {
    /** Pieces of `wanted` at or below `top` that may be planned at `position`, with the hash of their last block. */
    pieces: async (wanted: readonly Stretch[], covered: readonly Stretch[], top: number, position: Position): Promise<Piece[]> => {
      const due = wanted.map((one) => ({ from: one.from, to: Math.min(one.to, top) })).filter((one) => one.from <= one.to)
      if (gaps(due, covered).length === 0 || performance.now() < lookAgain) return []
      lookAgain = performance.now() + lookMs
      const lacking = await ledger.lacking(chain)
      const missing = gaps(due, [...covered, ...lacking]).filter((gap) => (suspects.get(gap.from)?.due ?? 0) <= performance.now())
      if (missing.length === 0) return []
      lowest = await module.source.lowest?.() ?? 0
      const size = await batchSize()
      await catchUp(position)
      const { free: alike, apart, held: waiting } = await room(size, top)
      let free = alike > 0 ? alike : apart
      const found: Piece[] = []
      // On a grid of whole segments, so that no segment is recomputed by two batches when it need not be.
      const { segmentBlocks } = module.chain
      for (const gap of alike > 0 ? missing : missing.flatMap((one) => beyond(one, waiting, due))) {
        if (free <= 0) break
        const pieces = cut([gap], size, Math.max(1, Math.floor(size / segmentBlocks)) * segmentBlocks).slice(0, free)
        found.push(...await held(gap, pieces, position.generation))
        free -= pieces.length
      }
      return found
    },
  }
}
