/** Waits that are no outage's: for a block that its node has lost, or fails at while it gives others. They count as failed attempts at last; an outage is waited out however long it takes. */
import type { Queue } from 'bullmq'
import type { AppError } from '../schemas/errors.js'
import type { ChainModule } from '../stages/stage.js'

/** Milliseconds before a job that waits for a dependency is looked at again. */
export const waitMs = 1_000
/** Waits after which one counts as a failed attempt. */
const waitsPerAttempt = 120

/** A stage's waits. `now`: milliseconds by a clock that nobody sets. */
export const openWaits = (queue: Pick<Queue, 'getRanges'>, now: () => number = () => performance.now()) => {
  /** When a batch of a chain was worked through here last. */
  const worked = new Map<string, number>()
  /** Whether what a node fails at is this one: it says what its head is, and others of its chain were worked through lately or there is none to try. */
  const failsAtThis = async ({ chain, source }: ChainModule): Promise<boolean> => {
    const isGiving = now() - (worked.get(chain.id) ?? -Infinity) < waitsPerAttempt * waitMs
    // The queue is of all chains; a job has the key of its batch.
    const mine = isGiving ? [] : (await queue.getRanges(['wait', 'prioritized', 'delayed', 'active'], 0, -1)).filter((id) => id.startsWith(`${chain.id}-`))
    if (mine.length > 1) return false
    return source.head().then(() => true, () => false)
  }
  return {
    /** A batch of the chain was worked through. */
    worked: (chain: string): void => { worked.set(chain, now()) },
    /** Whether a job that waits for the reason `thrown`, begun for the `started`th time and `tookMs` ago, has failed once more: what takes long counts for the waits it lasted. */
    hasFailed: async (thrown: AppError, module: ChainModule | undefined, started: number, tookMs: number): Promise<boolean> => {
      if (started % Math.ceil(waitsPerAttempt / (1 + Math.floor(tookMs / waitMs))) !== 0) return false
      return thrown.code === 'BLOCK_GONE' || (thrown.code === 'RPC_DOWN' && module !== undefined && failsAtThis(module).catch(() => false))
    },
  }
}
export type Waits = ReturnType<typeof openWaits>
