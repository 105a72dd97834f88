import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { events, readAlerts, WatchAlert } from '../../../workers/monitoring/alerts.js'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause, type EmptyReason } from '../../empty.js'
import { cursorField, limitField } from '../../fields.js'
import { operation, type Ask } from '../../operation.js'
import { pageFields, pageOf } from '../../pages.js'
import { reaches } from '../../tiers.js'
import { unalerted, withUnalerted } from '../../unalerted.js'
import { openDesk, silenceOfRegisters } from '../forensic/screening.js'
import { listOf, ownerOf, unfollowedWarnings } from './lists.js'

const countWatched = loadSql(import.meta.url, 'countWatched.sql')
const Watched = z.object({ watched: z.number(), chains: z.array(z.string()), unfollowed: z.number() })
const Position = z.number().int().min(0)

/** What is watched on lists of the caller, or on one of them. */
const watchedOf = async (ask: Ask, list = ''): Promise<z.infer<typeof Watched>> => (await ask.store.query(countWatched, { owner: ownerOf(ask), list }, Watched, {}, ask.signal))[0] ?? { watched: 0, chains: [], unfollowed: 0 }

/** Why silence about transfers of addresses of `chains` means nothing, by the worst of them; null: it is an answer. */
const silenceOf = async (chains: readonly string[], ask: Ask): Promise<EmptyReason | null> => {
  const reasons = await Promise.all(chains.map(async (chain) => await ask.services.coverage.silence(chain) ?? await unalerted(chain, ask)))
  return reasons.find((reason) => reason === 'stale_pipeline') ?? reasons.find((reason) => reason !== null) ?? null
}

export default operation({
  name: 'list_watch_alerts', aliases: ['watch_alerts', 'monitoring_alerts'], route: 'GET /v1/monitoring/alerts', auth: 'key', lane: 'compliance', tool: true, sources: ['watch_alerts', 'sanctions_changes'], rows: 'alerts',
  summary: 'What happened to the addresses your key watches: transfers, those a reorg took back, sanctions listings.',
  input: z.object({
    list_id: z.string().regex(/^wl_[0-9a-f]{16}$/).optional().describe('Only this watch list'), event: z.enum(events).optional().describe('Only such'),
    after: z.number().int().min(0).optional().describe('Only above this position, oldest first'), limit: limitField(500, 50), cursor: cursorField,
  }),
  output: z.object({ count: z.number().int(), watched: z.number().int().describe('Addresses on your lists'), alerts: z.array(WatchAlert), ...pageFields, coverage_status: CoverageStatus }),
  empty: async (_, ask, { list_id: list, event }) => {
    const { watched, chains } = await watchedOf(ask, list), listings = event === 'listed' || event === 'delisted', moves = event !== undefined && !listings
    // A key that was moved to a tier without monitoring keeps its lists, and nobody looks at them.
    if (watched === 0 || !reaches(ask.principal.tier, 'compliance')) return emptyBecause('data_gap')
    if (moves && chains.length === 0) return emptyBecause('unsupported_input')
    return emptyBecause((listings ? null : await silenceOf(chains, ask)) ?? (moves ? null : silenceOfRegisters((await openDesk(ask)).asked)) ?? 'no_signal')
  },
  run: async (input, ask) => {
    const { cursors, coverage } = ask.services
    const owner = ownerOf(ask)
    const inputs = { list_id: input.list_id, event: input.event, after: input.after }
    const position = input.cursor === undefined ? undefined : cursors.read('list_watch_alerts', inputs, input.cursor, Position)
    const newestFirst = input.after === undefined
    const [rows, { watched }, { unfollowed }, status, view] = await Promise.all([
      readAlerts(ask.store, {
        owner, lists: input.list_id === undefined ? [] : [input.list_id], event: input.event ?? '', limit: input.limit + 1, newestFirst,
        ...(newestFirst ? { before: position } : { after: position ?? input.after ?? 0 }),
      }, ask.signal),
      watchedOf(ask), watchedOf(ask, input.list_id), coverage.status('ALL'), coverage.view(),
    ])
    // What was told of a list that is gone stays; of one that is not there, or another key's, there is nothing to be silent about.
    if (input.list_id !== undefined && rows.length === 0) await listOf(ask, input.list_id)
    const { page, more } = pageOf(rows, input.limit, (last) => cursors.write('list_watch_alerts', inputs, last.position))
    return { count: page.length, watched, alerts: page, ...more, coverage_status: withUnalerted({ ...status, warnings: [...status.warnings, ...unfollowedWarnings(unfollowed)] }, view, 'ALL') }
  },
})
