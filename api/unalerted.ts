/** Whether the stage alert, which alone writes alerts and what is told of watched addresses, has looked at all that is in the store. */
import { z } from 'zod'
import { chains } from '../schemas/chains.js'
import { loadSql } from '../schemas/sql.js'
import type { CoverageStatus } from './coverage.js'
import type { EmptyReason } from './empty.js'
import type { LedgerView } from './ledgerView.js'
import type { Ask } from './operation.js'
import { allTime } from './reach.js'
import { storedChains } from './span.js'

const unworked = loadSql(import.meta.url, 'unworked.sql'), venueWaiting = loadSql(import.meta.url, 'venueWaiting.sql'), venueSkipped = loadSql(import.meta.url, 'venueSkipped.sql')
const Unworked = z.object({ unworked: z.coerce.boolean() }), Waiting = z.object({ since: z.number().nullable() })

const isOld = async (venue: string, seconds: number, ask: Ask): Promise<boolean> => {
  // The stage is not ordered: what it has come to may lie above what it tries again.
  const read = await Promise.all([venueWaiting, venueSkipped].map((sql) => ask.store.query(sql, { chain: venue, stage: 'alert' }, Waiting, {}, ask.signal)))
  return read.some(([row]) => row?.since != null && Date.now() - row.since > seconds * 1_000)
}

/** Why silence about alerts of `chain` means nothing even where its data are all there; null: nothing waits for the stage. Of a venue, where `venues`, some seconds always do. */
export const unalerted = async (chain: string, ask: Ask, { venues = false } = {}): Promise<EmptyReason | null> => {
  const { controls, bounds, kept, unalerted: dead } = await ask.services.coverage.view()
  if (controls.get('stage:alert')?.state === 'paused') return 'stale_pipeline'
  const heard = chains.filter(({ id, status }) => venues && status === 'perps-only' && (id === chain || chain === 'ALL'))
  const late = await Promise.all(heard.map(({ id, staleAfterSeconds }) => isOld(id, staleAfterSeconds, ask)))
  if (late.includes(true)) return 'stale_pipeline'
  // Of a venue what gave up long ago is not among what waits.
  if (heard.some(({ id }) => dead?.has(id) === true)) return 'data_gap'
  // Read once for all who ask until the next batch lands.
  const open = await Promise.all(storedChains({ id: chain }).map(async (id) => {
    const newest = bounds.get(id)?.newest
    return newest !== undefined && (await kept.once(`unalerted ${id}`, (store) => store.query(unworked, { chain: id, stage: 'alert', low: 0, high: newest, ...allTime }, Unworked)))[0]?.unworked === true
  }))
  return open.includes(true) ? 'data_gap' : null
}

/** `status` of an answer with alerts, or that counts them, of `chain` and, where `venues`, of venues: it says of what none were made, because the stages that make them gave up. */
export const withUnalerted = (status: CoverageStatus, { unalerted: dead }: Pick<LedgerView, 'unalerted'>, chain: string, { venues = false } = {}): CoverageStatus => {
  const said = chains.flatMap(({ id, hasBlocks }) => {
    const lost = id === chain || (chain === 'ALL' && (hasBlocks || venues)) ? dead?.get(id) : undefined
    if (lost === undefined) return []
    return [`${chain === 'ALL' ? `${id}: ` : ''}Alerts of ${hasBlocks ? `${lost.count} blocks between ${lost.from} and ${lost.to}` : `${lost.count} batches of what was heard between segments ${lost.from} and ${lost.to}`} failed for good and are missing until they are redriven`]
  })
  return said.length === 0 ? status : { ...status, warnings: [...status.warnings, ...said] }
}
