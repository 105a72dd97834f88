/** Answers to rows, and only of a whole batch: answers are kept for a while, and a batch may lie longer than that in a paused stage or among the dead letters. */
import { AppError } from '../../schemas/errors.js'
import type { BatchRef } from '../../schemas/primitives.js'
import { countingOf, runStatements, type Context, type Counting, type Outcome } from '../stage.js'

const gone = 'ANSWERS_GONE'

const blocksOf = ({ from, to }: BatchRef): number => to - from + 1

/** Typed rows of a batch, by the chain's own statements; rejects with ANSWERS_GONE where they are not of all its blocks. */
const read = async (batch: BatchRef, context: Context): Promise<number> => {
  const { normalize, whole } = context.chain, counting = countingOf(batch, context)
  const rows = await runStatements(normalize, batch, context, counting)
  const lacking = whole === undefined ? 0 : blocksOf(batch) - ((await counting(whole))['blocks'] ?? 0)
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

/** Before enrich: what normalize left for it goes after a while too, and is read once more where it is gone. Resolves to the counts that hold then. */
export const readAgainWhereGone = async (batch: BatchRef, context: Context): Promise<Counting> => {
  const { stillRead } = context.chain, counting = countingOf(batch, context)
  if (stillRead === undefined || ((await counting(stillRead))['blocks'] ?? 0) >= blocksOf(batch)) return counting
  context.log.warn({ code: 'READING_GONE' }, 'what was read of a batch is gone: it is read again')
  await readBatch(batch, { ...context, again: true })
  return countingOf(batch, context)
}
