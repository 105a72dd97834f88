/** The ledger in ClickHouse: what is wanted, planned, landed. It decides; queues only carry. All reads are small and by chain. */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Chain } from '../../schemas/chains.js'
import { afterQuestions, type Store } from '../../schemas/clickhouse.js'
import { batchKey, BatchRef, stageNames, type StageName } from '../../schemas/primitives.js'
import { loadSql } from '../../schemas/sql.js'
import type { Outcome } from '../stage.js'

const sql = (name: string) => loadSql(import.meta.url, `${name}.sql`)
const intervals = sql('intervals'), position = sql('position'), tips = sql('tips'), rollbacks = sql('rollbacks'), unapplied = sql('unapplied')
const landed = sql('landed'), below = sql('below'), above = sql('above'), unfinished = sql('unfinished'), pace = sql('pace'), targets = sql('targets'), dead = sql('dead')
const progress = sql('progress'), plannedSince = sql('planned_since'), lacking = sql('lacking'), ground = sql('ground'), gone = sql('gone'), recentRollbacks = sql('recent_rollbacks'), oldestPlan = sql('oldest_plan'), lowestPlanned = sql('lowest_planned')

const int = z.coerce.number().int()
const Interval = z.object({ from_block: int, to_block: int }).transform((row) => ({ from: row.from_block, to: row.to_block }))
const Position = z.object({ seq: int, generation: int, targets: int })
const Tip = z.object({ from_block: int, to_block: int, hash: z.string(), parent_hash: z.string(), generation: int })
const Rollback = z.object({ seq: int, from_block: int, generation: int })
const Target = z.object({ id: z.string(), kind: z.enum(['follow', 'backfill']), from_block: int, to_block: z.coerce.number() })
const Row = z.object({ from_block: int, to_block: int, hash: z.string(), generation: int, floor: int })

const Come = z.object({ from_block: int, to_block: int, hash: z.string(), generation: int, finished: z.coerce.boolean() })

export type Interval = z.infer<typeof Interval>
export type Tip = z.infer<typeof Tip>
export type Target = z.infer<typeof Target>

/** A stretch to be planned: bounds, hash of its last block and of the parent of its first ('' where not asked), and whose wish it is. */
export interface Planned { readonly from: number; readonly to: number; readonly hash: string; readonly parentHash: string; readonly target: string; readonly floor: number }

const writer = randomUUID()
/** Blocks that no batch is longer than, and how many times as far is looked where as many batches as were asked for do not lie that near. */
const longest = 512, farther = 32
const toRef = (chain: string, row: z.infer<typeof Row>): BatchRef => BatchRef.parse({ chain, from: row.from_block, to: row.to_block, hash: row.hash, generation: row.generation, floor: row.floor })
const at = (): string => new Date().toISOString()

/** For a look at one place: handing it to a second thread, or weighing what to read of it first, costs more than reading it. */
const lookup = { max_threads: 1, optimize_move_to_prewhere: 0, use_query_condition_cache: 0 }
/** For what reads much of a chain's ledger: it gives way to questions, as stages do. */
const wide = { os_threads_nice_value_query: afterQuestions }

/** What is wanted of a chain from now on, or no more (withdrawn); `to` null: without an end. */
export interface NewTarget { readonly id: string; readonly kind: Target['kind'] | 'withdrawn'; readonly from: number; readonly to: number | null; readonly by: string }

/** Writes a target down, once for its id, and once that it is withdrawn. */
export const writeTarget = (store: Store, chain: string, { id, kind, from, to, by }: NewTarget): Promise<void> =>
  store.insertSurely('targets', [{ chain, id, kind, from_block: from, to_block: to ?? '18446744073709551615', requested_by: by, requested_at: at() }], `${kind === 'withdrawn' ? kind : 'target'}|${chain}|${id}`, async () =>
    (await store.query('SELECT id FROM targets WHERE chain = {chain:String} AND id = {id:String} AND kind = {kind:String} LIMIT 1', { chain, id, kind }, z.object({ id: z.string() }))).length > 0)

export const openLedger = (store: Store) => {
  const one = async <T>(file: typeof position, params: Record<string, unknown>, row: z.ZodType<T>): Promise<T | undefined> => (await store.query(file, params, row, lookup))[0]

  /** Writes rows under the next seq; false when another planner won that seq (the token makes the later insert a no-op). */
  const append = async (chain: string, seq: number, rows: readonly object[]): Promise<boolean> => {
    const id = `${writer}-${randomUUID()}`
    let mine: string | undefined
    await store.insertSurely('plans', rows.map((row) => ({ chain, seq, writer: id, at: at(), ...row })), `plan|${chain}|${seq}`, async () => {
      const found = await store.query('SELECT DISTINCT writer FROM plans WHERE chain = {chain:String} AND seq = {seq:UInt64}', { chain, seq }, z.object({ writer: z.string() }))
      mine = found[0]?.writer
      return found.length > 0
    })
    return mine === id
  }

  /** The last batch of a chain that landed a stage here: batches of one generation never overlap, so its last block and generation tell it. */
  const newest = new Map<string, { readonly to: number; readonly generation: number }>()
  /** Landings that are being written here. */
  const writing = new Map<string, Promise<void>>()
  const landedOf = async (batch: BatchRef): Promise<Set<StageName>> => new Set((await store.query(landed, { ...batch }, z.object({ stage: z.enum(stageNames) }), lookup)).map((row) => row.stage))

  return {
    intervals: (chain: string): Promise<Interval[]> => store.query(intervals, { chain }, Interval, wide),
    position: async (chain: string) => (await one(position, { chain }, Position)) ?? { seq: 0, generation: 0, targets: 0 },
    tips: async (chain: string, top: number, limit: number): Promise<Tip[]> => {
      for (let span = longest * limit; ; span *= farther) {
        const low = Math.max(0, top - span), found = await store.query(tips, { chain, top, low, limit }, Tip)
        if (found.length === limit || low === 0) return found
      }
    },
    targets: (chain: string): Promise<Target[]> => store.query(targets, { chain }, Target),
    /** Mean bytes of a block lately, null when nothing was ingested yet. */
    bytesPerBlock: async (chain: string): Promise<number | null> => (await one(pace, { chain }, z.object({ bytes_per_block: z.number().nullable() })))?.bytes_per_block ?? null,
    /** Stretches no node has, by their dead letters: nothing waits for them. */
    lacking: (chain: string): Promise<Interval[]> => store.query(lacking, { chain }, Interval),
    /** Stretches that were ingested and of which no answers are kept any more. */
    gone: ({ id, hasBlocks }: Chain): Promise<Interval[]> => store.query(gone, { chain: id, by_generation: hasBlocks ? 1 : 0 }, Interval),
    /** The lowest block from which on all below `below` stand without a gap, normalized; null where the one right below does not. */
    ground: async (chain: string, below: number): Promise<number | null> => (await one(ground, { chain, below }, z.object({ ground: int })))?.ground ?? null,
    /** Batches that entered the plan after `after`, up to `seq`. */
    plannedSince: async (chain: string, after: number, seq: number): Promise<BatchRef[]> => (await store.query(plannedSince, { chain, after, seq }, Row)).map((row) => toRef(chain, row)),
    /** The lowest block that entered the plan after `after` (null: none), and the newest place in it. */
    lowestPlanned: async (chain: string, after: number): Promise<{ readonly seq: number; readonly lowest: number | null }> => {
      const found = await one(lowestPlanned, { chain, after }, z.object({ seq: int, lowest: int.nullable() }))
      return { seq: Math.max(after, found?.seq ?? 0), lowest: found?.lowest ?? null }
    },
    /** Which of the batches have landed ingest, and the stage `last`, by key. */
    progress: async (chain: string, batches: readonly BatchRef[], last: StageName = 'alert'): Promise<Map<string, { readonly finished: boolean }>> => {
      if (batches.length === 0) return new Map()
      const rows = await store.query(progress, { chain, froms: batches.map((batch) => batch.from), last }, Come, wide)
      return new Map(rows.map((row) => [batchKey(toRef(chain, { ...row, floor: 0 })), { finished: row.finished }]))
    },
    deadJobs: async (chain: string): Promise<Set<string>> => new Set((await store.query(dead, { chain }, z.object({ id: z.string() }), wide)).map((row) => row.id)),

    addTarget: (chain: string, target: NewTarget & { readonly kind: 'follow' | 'backfill' }): Promise<void> => writeTarget(store, chain, target),

    /** Cuts `batches` into the plan at the position read before; resolves to the batches, or null when another planner was first. */
    plan: async (chain: string, position: { seq: number; generation: number }, batches: readonly Planned[]): Promise<BatchRef[] | null> => {
      const { generation } = position
      const won = await append(chain, position.seq + 1, batches.map((batch) => ({
        kind: 'plan', from_block: batch.from, to_block: batch.to, hash: batch.hash, parent_hash: batch.parentHash, generation, target: batch.target, floor: batch.floor,
      })))
      return won ? batches.map((batch) => ({ chain, from: batch.from, to: batch.to, hash: batch.hash, generation, floor: batch.floor })) : null
    },

    /** Ends every live batch that reaches `from` or above; null when another planner was first. */
    rollBack: async (chain: string, position: { seq: number; generation: number }, from: number, ancestorHash: string): Promise<{ seq: number; generation: number } | null> => {
      const next = { seq: position.seq + 1, generation: position.generation + 1 }
      const won = await append(chain, next.seq, [{ kind: 'rollback', from_block: from, to_block: 0, hash: ancestorHash, parent_hash: '', generation: next.generation, target: '', floor: 0 }])
      return won ? next : null
    },

    /** Rollbacks that ended the batch: empty while it is live. */
    endedBy: (batch: BatchRef) => store.query(rollbacks, { chain: batch.chain, to: batch.to, generation: batch.generation }, Rollback, lookup),
    /** Rollbacks of the last `sweepSeconds` that ended a batch with a block of this one, without those that a later one does the work of. */
    recentRollbacks: async ({ chain, from, to, generation }: BatchRef, sweepSeconds: number): Promise<z.infer<typeof Rollback>[]> => {
      const recent = await store.query(recentRollbacks, { chain, to, generation, sweepSeconds }, Rollback, lookup)
      if (recent.length === 0) return []
      const planned = await one(oldestPlan, { chain, from, to }, z.object({ generation: int }))
      return recent.filter((rollback) => planned !== undefined && rollback.generation > planned.generation && !recent.some((other) => other.seq > rollback.seq && other.from_block <= rollback.from_block))
    },
    unapplied: (chain: string, sweepSeconds: number) => store.query(unapplied, { chain, sweepSeconds }, Rollback.extend({ applied: z.coerce.boolean() }), wide),

    landed: landedOf,
    land: async (batch: BatchRef, stage: StageName, outcome: Outcome, milliseconds: number): Promise<void> => {
      const id = `${stage}|${batchKey(batch)}`
      const written = store.insertSurely('batches', [{
        chain: batch.chain, stage, from_block: batch.from, to_block: batch.to, hash: batch.hash, generation: batch.generation,
        rows: outcome.rows, bytes: outcome.bytes, milliseconds: Math.round(milliseconds), endpoint: outcome.endpoint, finished_at: at(),
      }], `landed|${id}`, async () => (await landedOf(batch)).has(stage))
      writing.set(id, written)
      try { await written } finally { if (writing.get(id) === written) writing.delete(id) }
      newest.set(`${batch.chain}|${stage}`, { to: batch.to, generation: batch.generation })
    },
    /** Whether the batch has landed a stage, once no landing of it is being written here. */
    hasLanded: async (batch: BatchRef, stage: StageName): Promise<boolean> => {
      await writing.get(`${stage}|${batchKey(batch)}`)?.catch(() => undefined)
      const last = newest.get(`${batch.chain}|${stage}`)
      return (last?.to === batch.to && last.generation === batch.generation) || (await landedOf(batch)).has(stage)
    },

    /** Whether an ordered stage may take the batch: it is the lowest of its request, or the batch below has landed the stage, or no node has the block below. */
    isNext: async (batch: BatchRef, stage: StageName): Promise<boolean> => {
      const last = newest.get(`${batch.chain}|${stage}`)
      // Between two of one generation there was no rollback, and one that came since and ended the lower ended both.
      if (batch.from <= batch.floor || (last?.to === batch.from - 1 && last.generation === batch.generation)) return true
      return ((await one(below, { chain: batch.chain, from: batch.from, stage }, z.object({ landed: z.coerce.boolean() })))?.landed ?? false)
        || (await store.query(lacking, { chain: batch.chain }, Interval)).some((stretch) => stretch.from < batch.from && stretch.to >= batch.from - 1)
    },
    /** The batch right above, if it has landed `stage`. */
    above: async (batch: BatchRef, stage: StageName): Promise<BatchRef | null> => {
      const row = await one(above, { chain: batch.chain, to: batch.to, stage }, Row)
      return row === undefined ? null : toRef(batch.chain, row)
    },
    /** Live batches from `from` on with a stage to go, but for those whose next rests, and the stages they have landed. */
    unfinished: async (chain: string, limit: number, from = 0, resting: readonly StageName[] = []): Promise<{ batch: BatchRef; stages: Set<string> }[]> => {
      const rows = await store.query(unfinished, { chain, from, order: stageNames, last: stageNames.at(-1) ?? '', resting, limit }, Row.extend({ stages: z.array(z.string()) }), wide)
      return rows.map((row) => ({ batch: toRef(chain, row), stages: new Set(row.stages) }))
    },
  }
}

export type Ledger = ReturnType<typeof openLedger>
