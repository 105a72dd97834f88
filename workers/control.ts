/** The pipeline's remote control, as the API sees it. Pausing is BullMQ's queue pause; the wish is kept in ClickHouse, so it survives Redis. */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Store } from '../schemas/clickhouse.js'
import { AppError } from '../schemas/errors.js'
import { findChain } from '../schemas/chains.js'
import { batchKey, BatchRef, StageName, stageNames } from '../schemas/primitives.js'
import { loadSql } from '../schemas/sql.js'
import type { Backfill } from './backfillState.js'
import { writeTarget } from '../stages/ledger/ledger.js'
import { readControls, writeControl, type PipelineState } from './controls.js'
import { revive } from './deadLetters.js'
import { stageUptime } from './heartbeat.js'
import { closeIncident } from './incidents.js'
import { markOrder } from './orders.js'
import { openPending } from './pending.js'
import { hasRoom } from './room.js'
import { askerConnection, firstMs, isAway, jobOptions, openQueues, pointerTo, readyWithin } from './queues.js'

export interface StageStatus {
  readonly stage: StageName
  /** What was ordered; whether anybody carries it out, uptimeSeconds says. */
  readonly status: 'running' | 'paused' | 'stopped'
  /** Batches finished in the last hour, from the ledger. */
  readonly processed: number
  /** Batches that were given up and wait for a redrive: dead letters. */
  readonly errors: number
  /** Batches that have come as far as this stage and have not landed it, from the ledger; those that gave up are not among them. At most a second old where the ledger is short, and a minute anywhere. */
  readonly pending: number
  /** Jobs in the queue, of an ordered stage one per chain; null while Redis is away. */
  readonly waiting: number | null
  readonly active: number | null
  readonly delayed: number | null
  readonly failed: number | null
  /** Blocks per second over the last minute; null when nothing ran. */
  readonly throughput: number | null
  /** Median milliseconds of a batch over the last minute; null when nothing ran. */
  readonly latencyMs: number | null
  /** Seconds since a worker of this stage last said it was alive; null when none did within a minute, or while Redis is away. */
  readonly uptimeSeconds: number | null
}

export interface DeadLetter {
  readonly id: string; readonly chain: string; readonly stage: string; readonly from: number; readonly to: number
  readonly code: string; readonly cause: string; readonly endpoint: string; readonly attempts: number
  /** When it gave up for the first time, and for the last, whatever was redriven between: ISO, milliseconds. */
  readonly firstAt: string; readonly at: string
}

export interface BackfillRequest { readonly chain: string; readonly from: number; readonly to: number; readonly dryRun: boolean; readonly requestedBy: string }
export interface BackfillAnswer { readonly accepted: boolean; readonly target: string; readonly blocks: number; /** Blocks of the stretch that have passed all five stages. */ readonly alreadyIndexed: number; readonly dryRun: boolean }

export interface PipelineControl {
  /** State of the whole: what the operator last asked for. */
  state(): Promise<'running' | 'paused' | 'stopped'>
  stages(): Promise<readonly StageStatus[]>
  /** start, stop, pause and resume of the whole. */
  set(state: 'running' | 'paused' | 'stopped', by: string): Promise<void>
  setStage(stage: StageName, paused: boolean, by: string): Promise<void>
  backfill(request: BackfillRequest): Promise<BackfillAnswer>
  /** Newest first, those below a position (time, target) where it is given. */
  backfills(limit: number, below?: readonly [string, string]): Promise<readonly Backfill[]>
  /** One of them. Rejects with UNKNOWN_BACKFILL. */
  backfillOf(target: string): Promise<Backfill>
  /** What was planned of it goes through, the rest is not fetched. Withdrawn twice it stays with the first. Rejects with UNKNOWN_BACKFILL. */
  withdraw(target: string, by: string): Promise<Backfill>
  /** Newest first, those below a position (time, id) where it is given; count and age are of all. */
  deadLetters(limit: number, below?: readonly [string, string]): Promise<{ readonly count: number; readonly oldestAgeSeconds: number | null; readonly letters: readonly DeadLetter[] }>
  /** Puts dead letters back to work (all, or one by id); resolves to how many: 0 of an id whose letter does not stand any more, null where no job of that id ever gave up. */
  redrive(id: string | null, by: string): Promise<number | null>
  redisConnected(): boolean
  /** false: within a minute a worker was refused a write, the disk of ClickHouse being full; null while Redis is away. */
  writable(): Promise<boolean | null>
  close(): Promise<void>
}

const stagesSql = loadSql(import.meta.url, 'control_stages.sql')
const lettersSql = loadSql(import.meta.url, 'control_letters.sql')
const buriedSql = loadSql(import.meta.url, 'control_buried.sql')
const writtenSql = loadSql(import.meta.url, 'control_letter.sql')
const backfillsSql = loadSql(import.meta.url, 'control_backfills.sql')
const indexedSql = loadSql(import.meta.url, 'control_indexed.sql')
const headSql = loadSql(import.meta.url, 'control_head.sql')
const int = z.coerce.number()
const StageRow = z.object({ stage: z.string(), processed: int, blocks_minute: int, milliseconds: int, batches_minute: int })
const LetterRow = z.object({
  id: z.string(), chain: z.string(), stage: StageName, from_block: int, to_block: int, hash: z.string(), generation: int, code: z.string(), cause: z.string(),
  endpoint: z.string(), attempts: int, first_at: z.string(), at: z.string(), floor: int, letters: int, oldest: int, below: z.coerce.boolean(),
})
const BuriedRow = z.object({ stage: z.string(), letters: int, batches: int })

/** What a batch has to land for the one above it to go on: the stage that goes up block by block, and those before it. */
const ordered = stageNames.slice(0, stageNames.indexOf('enrich') + 1)
const BackfillRow = z.object({
  id: z.string(), chain: z.string(), from_block: int, to_block: int, requested_by: z.string(), requested_at: z.string(), indexed: z.number(), given_up: z.number(), held: z.number(), withdrawn_by: z.string(), withdrawn_at: z.string().nullable(),
}).transform((row): Backfill => ({
  target: row.id, chain: row.chain, from: row.from_block, to: row.to_block, requestedBy: row.requested_by, requestedAt: row.requested_at, indexed: row.indexed, givenUp: row.given_up, held: row.held, withdrawnBy: row.withdrawn_by, withdrawnAt: row.withdrawn_at,
}))

/** Attempts a redriven job gets, and milliseconds before the first of its retries. */
const redriveAttempts = 8
const redriveBackoffMs = 500
/** A position above all there is. */
const endless = ['2200-01-01T00:00:00Z', ''] as const
/** Letters that a redrive takes up at a time: their ids travel in an address. */
const redriveStep = 2_000

/**
 * Opens the control on a store that may write and on Redis. While Redis is away what only it knows is null, and orders wait: all are in the store,
 * and workers carry them out when it is back. Calls reject with UPSTREAM_UNAVAILABLE while the store is away.
 */
export const openPipelineControl = (store: Store, redisUrl: string, prefix: string): PipelineControl => {
  const redis = askerConnection(redisUrl)
  redis.on('error', () => undefined)
  const queues = openQueues(redis, prefix, () => undefined)
  const opened = readyWithin(redis, firstMs)
  /** Whether the last question got no answer: a Redis that hangs keeps its connection for a while. */
  let silent = false
  redis.on('ready', () => { silent = false })
  const pendingOf = openPending(store)
  const wish = (name: string, state: string, by: string): Promise<void> => writeControl(store, name, state, by)
  const backfills = (limit: number, [before, place]: readonly [string, string] = endless, id = '') => store.query(backfillsSql, { limit, before, before_id: place, id, ordered }, BackfillRow)
  const backfillOf = async (target: string): Promise<Backfill> => {
    const [found] = await backfills(1, endless, target)
    if (found === undefined) throw new AppError('UNKNOWN_BACKFILL', `No backfill is called ${target}`, { status: 404, body: { hint: 'GET /v1/pipeline/backfill names them' } })
    return found
  }
  /** A page of dead letters, and what is said of all of them whatever is on it. */
  const letters = async (limit: number, [before, id]: readonly [string, string] = endless, only = '') => {
    const rows = await store.query(lettersSql, { limit, before, before_id: id, only }, LetterRow)
    return { page: rows.filter(({ below }) => below), count: rows[0]?.letters ?? 0, oldest: rows[0]?.oldest ?? null }
  }
  /** Redis' part of an answer, or null while it is away: the ledger's part is still true. */
  const ask = async <T>(question: () => Promise<T>): Promise<T | null> => {
    await opened
    try {
      const answer = await question()
      silent = false
      return answer
    } catch (thrown) {
      silent = isAway(thrown)
      return null
    }
  }

  return {
    state: async () => (await readControls(store)).pipeline,
    stages: async () => {
      const [controls, rows, buried, pending] = await Promise.all([readControls(store), store.query(stagesSql, {}, StageRow), store.query(buriedSql, {}, BuriedRow), pendingOf()])
      return Promise.all(stageNames.map(async (stage): Promise<StageStatus> => {
        const row = rows.find((one) => one.stage === stage), dead = buried.find((one) => one.stage === stage)
        const [counts, uptimeSeconds] = await Promise.all([ask(() => queues[stage].getJobCounts('wait', 'prioritized', 'active', 'delayed', 'failed')), ask(() => stageUptime(redis, prefix, stage))])
        const jobs = (...states: string[]): number | null => (counts === null ? null : states.reduce((sum, state) => sum + (counts[state] ?? 0), 0))
        const active = (row?.batches_minute ?? 0) > 0
        return {
          stage, status: controls.pipeline !== 'running' ? controls.pipeline : controls.pausedStages.has(stage) ? 'paused' : 'running',
          processed: row?.processed ?? 0, errors: dead?.letters ?? 0, pending: Math.max(0, (pending.get(stage) ?? 0) - (dead?.batches ?? 0)),
          waiting: jobs('wait', 'prioritized'), active: jobs('active'), delayed: jobs('delayed'), failed: jobs('failed'), uptimeSeconds,
          throughput: active ? (row?.blocks_minute ?? 0) / 60 : null, latencyMs: active ? row?.milliseconds ?? null : null,
        }
      }))
    },
    // The wish is written first: a worker applies it within a second even if Redis is away now.
    set: async (state: PipelineState, by) => {
      await wish('pipeline', state, by)
      const { pausedStages, halted } = await readControls(store)
      // Going on is the operator's word on a halted chain as well; it halts again if the node still shows a chain that differs too deep.
      if (state === 'running') for (const chain of halted.keys()) { await wish(`chain:${chain}`, 'running', by); await closeIncident(store, `deep_reorg|${chain}`) }
      await ask(() => Promise.all(stageNames.map((name) => (state === 'running' && !pausedStages.has(name) ? queues[name].resume() : queues[name].pause()))))
    },
    setStage: async (stage, paused, by) => {
      await wish(`stage:${stage}`, paused ? 'paused' : 'running', by)
      const { pipeline } = await readControls(store)
      await ask(() => (paused || pipeline !== 'running' ? queues[stage].pause() : queues[stage].resume()))
    },
    backfill: async (request) => {
      const chain = findChain(request.chain)
      if (chain === undefined) throw new AppError('UNKNOWN_CHAIN', `No chain is called ${request.chain}`, { status: 404 })
      const [head] = await store.query(headSql, { chain: chain.id }, z.object({ number: int, seen: z.string() }))
      if (head !== undefined && request.to > head.number) {
        const message = `Block ${request.to} is above block ${head.number}, the newest of ${chain.id} (seen ${head.seen})`
        throw new AppError('BEYOND_HEAD', message, { status: 422, body: { hint: `Ask for blocks up to ${head.number}; newer ones are followed as they come`, details: [{ type: 'beyond_head', loc: ['body', 'to_block'], msg: message }] } })
      }
      const [row] = await store.query(indexedSql, { chain: chain.id, from: request.from, to: request.to }, z.object({ blocks: int }))
      const blocks = request.to - request.from + 1
      const alreadyIndexed = row?.blocks ?? 0
      const target = `backfill-${request.from}-${request.to}-${randomUUID().slice(0, 8)}`
      if (!request.dryRun) {
        await writeTarget(store, chain.id, { id: target, kind: 'backfill', from: request.from, to: request.to, by: request.requestedBy })
        void ask(() => markOrder(redis, prefix, chain.id))
      }
      return { accepted: !request.dryRun, target: request.dryRun ? '' : target, blocks, alreadyIndexed, dryRun: request.dryRun }
    },
    backfills: (limit, below) => backfills(limit, below),
    backfillOf,
    withdraw: async (target, by) => {
      const { chain, from, to } = await backfillOf(target)
      await writeTarget(store, chain, { id: target, kind: 'withdrawn', from, to, by })
      void ask(() => markOrder(redis, prefix, chain))
      return backfillOf(target)
    },
    deadLetters: async (limit, below) => {
      const { page, count, oldest } = await letters(limit, below)
      return {
        count, oldestAgeSeconds: oldest,
        letters: page.map((row) => ({
          id: row.id, chain: row.chain, stage: row.stage, from: row.from_block, to: row.to_block, code: row.code, cause: row.cause, endpoint: row.endpoint,
          attempts: row.attempts, firstAt: row.first_at, at: row.at,
        })),
      }
    },
    redrive: async (id) => {
      const refused: unknown[] = []
      let redriven = 0, away = false
      // From the newest down: what fails again meanwhile is newer, and is not taken up once more.
      for (let place: readonly [string, string] | null = endless; place !== null;) {
        const { page } = await letters(redriveStep, place, id ?? '')
        if (page.length === 0 && id !== null && (await store.query(writtenSql, { id }, z.object({ written: z.coerce.boolean() })))[0]?.written !== true) return null
        await revive(store, page.map((row) => row.id))
        redriven += page.length
        // Those without a hash were never planned: the planner asks the node for them again now that their letters are closed. Jobs that Redis does not take now are given by the next rescue.
        await opened
        for (const row of away ? [] : page.filter(({ hash }) => hash !== '')) {
          try {
            const batch = BatchRef.parse({ chain: row.chain, from: row.from_block, to: row.to_block, hash: row.hash, generation: row.generation, floor: row.floor })
            const spent = await queues[row.stage].getJob(batchKey(batch))
            await spent?.remove()
            await queues[row.stage].add(row.stage, pointerTo(batch, true), jobOptions(batch, redriveAttempts, redriveBackoffMs))
          } catch (thrown) {
            silent = away = isAway(thrown)
            if (away) break
            refused.push(thrown)
          }
        }
        const last = page.at(-1)
        place = last === undefined || page.length < redriveStep ? null : [last.at, last.id]
      }
      // One that cannot be put back keeps no other from it.
      if (refused.length > 0) throw refused[0]
      return redriven
    },
    writable: () => ask(() => hasRoom(redis, prefix)),
    redisConnected: () => redis.status === 'ready' && !silent,
    close: async () => {
      await Promise.all(Object.values(queues).map((queue) => queue.close()))
      redis.disconnect()
    },
  }
}
