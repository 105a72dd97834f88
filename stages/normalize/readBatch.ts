/** Answers to rows, and only of a whole batch: answers are kept for a while, and a batch may lie longer than that in a paused stage or among the dead letters. */
import { AppError } from '../../schemas/errors.js'
import type { BatchRef } from '../../schemas/primitives.js'
import { countingOf, runStatements, type Context, type Outcome } from '../stage.js'

const gone = 'ANSWERS_GONE'

/** Typed rows of a batch, by the chain's own statements; rejects with ANSWERS_GONE where they are not of all its blocks. */
const read = async (batch: BatchRef, context: Context): Promise<number> => {
  const { normalize, whole } = context.chain, counting = countingOf(batch, context)
  const rows = await runStatements(normalize, batch, context, counting)
  const lacking = whole === undefined ? 0 : batch.to - batch.from + 1 - ((await counting(whole))['blocks'] ?? 0)
  if (lacking > 0) throw new AppError(gone, `What nodes answered about ${lacking} of the blocks ${batch.from}–${batch.to} is not in raw_payloads: it was fetched and did not stay. See what deletes from that table, then redrive`, { retry: 'attempt' })
  return rows
}

/** Reads a batch; where its answers are gone they are fetched again, as by an ingest that is run again, and read once more. */
export const readBatch = async (batch: BatchRef, context: Context): Promise<Outcome> => {
  try {
    return { rows: await read(batch, context), bytes: 0, endpoint: '' }
  } catch (thrown) {
    if (!(thrown instanceof AppError && thrown.code === gone)) throw thrown
    context.log.warn({ code: gone }, 'the answers about a batch are gone: they are fetched again')
    const again = { ...context, again: true }
    const { bytes, endpoint } = await context.chain.source.ingest(batch, again)
    return { rows: await read(batch, again), bytes, endpoint }
  }
}
