/** What a generator made is told by its names wherever it shows: coins SYN-…, accounts 0x53594e54…, which no market of the venue's and no key has. Here alone is decided which answers are marked as made. */
import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import type { CoverageStatus } from '../../coverage.js'
import type { Ask } from '../../operation.js'

export const madeWarning = 'Coins named SYN-… and accounts that begin with 0x53594e54 are synthetic: a generator made them, the venue said nothing of them'

const madeSignals = loadSql(import.meta.url, 'madeSignals.sql')

/** Whether anything in `said` names what is made, or says (`made`) that it was worked out of it. */
const isMade = (said: unknown): boolean => {
  if (typeof said === 'string') return said.startsWith('SYN-') || said.startsWith('0x53594e54')
  return typeof said === 'object' && said !== null && Object.entries(said).some(([name, value]) => (name === 'made' && value === true) || isMade(value))
}

/** `status` with the warning where a part of what an answer was made from is made: rows, what was asked for, what lies under a statistic. */
export const marked = (status: CoverageStatus, ...parts: readonly unknown[]): CoverageStatus =>
  (status.warnings.includes(madeWarning) || !parts.some(isMade) ? status : { ...status, warnings: [...status.warnings, madeWarning] })

/** The same for lists of all chains: a token of a chain may be called anything, so the venue's rows alone are looked at. */
export const markedAmong = (status: CoverageStatus, rows: readonly { readonly chain: string }[]): CoverageStatus => marked(status, rows.filter(({ chain }) => chain === 'HL'))

/** What lies under the results of strategies: a part for `marked`. */
export const readMadeSignals = async (ask: Ask): Promise<readonly { readonly made: boolean }[]> => ask.store.query(madeSignals, {}, z.object({ made: z.boolean() }))
