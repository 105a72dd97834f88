/** Questions about what there always is at the venue, or may be of any account: rates, prices, books, positions. An empty answer says that nothing of it was heard, never that there is none. */
import { ofFollowedAlone } from '../../assess.js'
import type { CoverageStatus } from '../../coverage.js'
import { emptyBecause, type Empty } from '../../empty.js'
import { perps, type PerpsRecord } from './readings.js'

interface Said { readonly coverage_status: CoverageStatus }

/** Of an empty answer: a gap, unless what was heard is old, which says more. */
export const unheard = ({ coverage_status: { data_fresh: fresh } }: Said): Empty | null => (fresh ? emptyBecause('data_gap') : null)

/** The same of what a node's files alone tell of all accounts, where there are none; null: an empty answer is what it seems. */
export const forcedUnheard = (output: Said): Empty | null => (ofFollowedAlone(output.coverage_status.warnings) ? unheard(output) : null)

/** As `perps`; an empty answer is a gap. */
export const shown = (record: PerpsRecord) => ({ ...perps(record), empty: unheard } as const)
