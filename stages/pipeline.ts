/** The pipeline: five stages in the order data takes. What a stage writes is in the statement files it lists. */
import { listsOf } from './lists.js'
import { readAgainWhereGone, readBatch } from './normalize/readBatch.js'
import { runStatements, type Stage } from './stage.js'
import { isTip, type StageName } from '../schemas/primitives.js'

/** bytes in: answers of nodes → raw_payloads, checked. */
const ingest: Stage = {
  name: 'ingest', attempts: 8, concurrency: 2, ordered: false, counts: false,
  run: (batch, context) => context.chain.source.ingest(batch, context),
}

/** answers → typed rows, by the chain's own statements. */
const normalize: Stage = {
  name: 'normalize', attempts: 8, concurrency: 2, ordered: false, counts: false,
  run: readBatch,
}

/** typed rows → prices, values, labels. Ordered: a price may look back at the blocks below, so they must be complete. */
const enrich: Stage = {
  name: 'enrich', attempts: 8, concurrency: 2, ordered: true, counts: false,
  run: async (batch, context) => {
    const counting = await readAgainWhereGone(batch, context)
    await context.chain.describeTokens?.(batch, context)
    const { enrich: range, enrichTip = range } = listsOf(batch.chain)
    return { rows: await runStatements(isTip(batch) ? enrichTip : range, batch, context, counting), bytes: 0, endpoint: '' }
  },
}

/** enriched rows → rows by address, aggregates per segment, text. Versions of segments count the batches that are enriched. */
const index: Stage = {
  name: 'index', attempts: 8, concurrency: 2, ordered: false, counts: true,
  run: async (batch, context) => ({ rows: await runStatements(listsOf(batch.chain).index, batch, context), bytes: 0, endpoint: '' }),
}

/** enriched rows → alerts, by rules. Whoever is told looks at what is indexed. */
const alert: Stage = {
  name: 'alert', attempts: 8, concurrency: 2, ordered: false, counts: true,
  run: async (batch, context) => ({ rows: await runStatements(listsOf(batch.chain).alert, batch, context), bytes: 0, endpoint: '' }),
}

export const pipeline: readonly Stage[] = [ingest, normalize, enrich, index, alert]

export const stageAfter = (name: StageName): Stage | undefined => pipeline[pipeline.findIndex((stage) => stage.name === name) + 1]
export const stageBefore = (name: StageName): Stage | undefined => pipeline[pipeline.findIndex((stage) => stage.name === name) - 1]
