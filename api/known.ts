/** Of which part of a time it is known what was dealt at a venue: before it was heard, and while it was not, silence is a gap and a sum of 0 is no 0. */
import { age } from './assess.js'
import type { CoverageStatus } from './coverage.js'
import type { LedgerView } from './ledgerView.js'
import type { RecordName } from './readings.js'

/** trades: heard as they were said; fills: of all accounts, of which a node's files alone tell. */
export type Dealt = 'trades' | 'fills'
interface Stretch { readonly from: number; readonly to: number }

/** Records that hang on the fills of all accounts. */
const ofAccounts = new Set<RecordName | undefined>(['hl_insider_trades', 'hl_suspects'])
export const dealtOf = (record: RecordName | undefined): Dealt => (ofAccounts.has(record) ? 'fills' : 'trades')

/** Stretches of one kind; of fills that no file ever told coverage says that they are of followed accounts alone, so trades count. */
const stretchesOf = (view: LedgerView, venue: string, dealt: Dealt): readonly Stretch[] => {
  const all = view.unheard?.get(venue) ?? [], kind = all.some((one) => one.kind === dealt) ? dealt : 'trades'
  return all.filter((one) => one.kind === kind)
}

/** From when on a venue's deals are known, Unix milliseconds; null: not said. */
export const knownSince = (view: LedgerView, venue: string, dealt: Dealt = 'trades'): number | null => stretchesOf(view, venue, dealt).find(({ from }) => from === 0)?.to ?? null

/** Stretches of from…to (Unix milliseconds) that are not known, each time once, the oldest first. */
export const unknownOf = (view: LedgerView, venue: string, from: number, to: number, dealt: Dealt = 'trades'): readonly Stretch[] => {
  const gaps = (view.unheard?.get(venue) ?? []).filter(({ kind }) => kind === 'gap')
  const within = [...stretchesOf(view, venue, dealt), ...gaps].filter((one) => one.from < to && one.to > from && one.to > one.from).map((one) => ({ from: Math.max(one.from, from), to: Math.min(one.to, to) })).sort((one, other) => one.from - other.from)
  const merged: Stretch[] = []
  for (const one of within) {
    const last = merged.at(-1)
    if (last !== undefined && one.from <= last.to) merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, one.to) }
    else merged.push(one)
  }
  return merged
}

/** Whether nobody told anything of a stretch, gaps apart. */
export const isSilent = (view: LedgerView, venue: string, from: number, to: number, dealt: Dealt = 'trades'): boolean => stretchesOf(view, venue, dealt).some((one) => one.from < to && one.to > from)

const dayMs = 86_400_000
/** How much of since…until is not known, for a coverage status. Gaps of the last day are in it already. */
export const unknownWarnings = (view: LedgerView, venue: string, since: number, until: number, dealt: Dealt = 'trades'): readonly string[] => {
  const unknown = unknownOf(view, venue, since, until, dealt), begin = knownSince(view, venue, dealt) ?? 0
  if (!isSilent(view, venue, since, until, dealt) && unknown.every(({ to }) => to >= Date.now() - dayMs)) return []
  const seconds = unknown.reduce((sum, { from, to }) => sum + to - from, 0) / 1_000
  const before = begin <= since || begin >= until ? '' : `, those before ${new Date(begin).toISOString()} among them`
  return [`Of the ${age((until - since) / 1_000)} asked about, ${dealt === 'fills' ? 'the fills of all accounts' : 'the trades'} of ${age(seconds)} are not known${before}`]
}
export const withUnknown = (status: CoverageStatus, view: LedgerView, venue: string, since: number, until: number, dealt: Dealt = 'trades'): CoverageStatus => {
  const warnings = unknownWarnings(view, venue, since, until, dealt)
  return warnings.length === 0 ? status : { ...status, warnings: [...status.warnings, ...warnings] }
}
