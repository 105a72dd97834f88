/** The pipeline's remote control, as the API sees it. Pausing is BullMQ's queue pause; the wish is kept in ClickHouse, so it survives Redis. */
import type { StageName } from '../schemas/primitives.js'

export interface StageStatus {
  readonly stage: StageName
  readonly status: 'running' | 'paused' | 'stopped'
  /** Batches finished and failed in the last hour, from the ledger. */
  readonly processed: number
  readonly errors: number
  readonly waiting: number
  readonly active: number
  readonly delayed: number
  readonly failed: number
  /** Blocks per second over the last minute; null when nothing ran. */
  readonly throughput: number | null
  /** Median milliseconds of a batch over the last minute; null when nothing ran. */
  readonly latencyMs: number | null
  /** Seconds since a worker of this stage last said it was alive; null when none did within a minute. */
  readonly uptimeSeconds: number | null
}

export interface DeadLetter {
  readonly id: string; readonly chain: string; readonly stage: string; readonly from: number; readonly to: number
  readonly code: string; readonly cause: string; readonly endpoint: string; readonly attempts: number; readonly firstAt: string; readonly at: string
}

export interface BackfillRequest { readonly chain: string; readonly from: number; readonly to: number; readonly dryRun: boolean; readonly requestedBy: string }
export interface BackfillAnswer { readonly accepted: boolean; readonly target: string; readonly blocks: number; readonly alreadyIndexed: number; readonly batches: number; readonly dryRun: boolean }

export interface PipelineControl {
  /** State of the whole: what the operator last asked for. */
  state(): Promise<'running' | 'paused' | 'stopped'>
  stages(): Promise<readonly StageStatus[]>
  /** start, stop, pause and resume of the whole. */
  set(state: 'running' | 'paused' | 'stopped', by: string): Promise<void>
  setStage(stage: StageName, paused: boolean, by: string): Promise<void>
  backfill(request: BackfillRequest): Promise<BackfillAnswer>
  deadLetters(limit: number): Promise<{ readonly count: number; readonly oldestAgeSeconds: number | null; readonly letters: readonly DeadLetter[] }>
  /** Puts dead letters back to work (all, or one by id); resolves to how many. */
  redrive(id: string | null, by: string): Promise<number>
  redisConnected(): boolean
  close(): Promise<void>
}
