/** Jobs that gave up, kept in ClickHouse so that neither the loss of Redis nor its retention forgets them. */
import { z } from 'zod'
import type { Store } from '../schemas/clickhouse.js'
import { AppError, messageOf } from '../schemas/errors.js'
import { batchKey, type BatchRef, type StageName } from '../schemas/primitives.js'
import { beginning } from '../schemas/text.js'

export const deadId = (stage: StageName, batch: BatchRef): string => `${stage}|${batchKey(batch)}`

/** Records that a job gave up; written before BullMQ marks it failed, so that no failed job lacks its letter. When it first did stays with it, whatever was redriven since. */
export const bury = async (store: Store, stage: StageName, batch: BatchRef, attempts: number, thrown: unknown): Promise<void> => {
  const id = deadId(stage, batch)
  // After all that was written of it before, whatever clocks said then.
  const [{ first_at: first, at } = { first_at: null, at: new Date().toISOString() }] = await store.query("SELECT minOrNull(first_at) AS first_at, greatest(now64(6, 'UTC'), max(at) + toIntervalMicrosecond(1)) AS at FROM dead_letters WHERE id = {id:String}", { id }, z.object({ first_at: z.string().nullable(), at: z.string() }))
  await store.insert('dead_letters', [{
    id, chain: batch.chain, stage, from_block: batch.from, to_block: batch.to, hash: batch.hash, generation: batch.generation,
    code: thrown instanceof AppError ? thrown.code : 'UNEXPECTED', cause: beginning(messageOf(thrown), 2_000), endpoint: thrown instanceof AppError ? thrown.endpoint : '',
    attempts, state: 'dead', first_at: first ?? at, at,
  }])
}

/** Closes letters: they were redriven, or their batch landed after all. */
export const revive = (store: Store, ids: readonly string[]): Promise<number> => store.execute(
  `INSERT INTO dead_letters SELECT id, chain, stage, from_block, to_block, hash, generation, code, cause, endpoint, attempts, 'redriven', first_at, greatest(now64(6, 'UTC'), at + toIntervalMicrosecond(1))
   FROM dead_letters FINAL WHERE state = 'dead' AND id IN {ids:Array(String)}`, { ids })
