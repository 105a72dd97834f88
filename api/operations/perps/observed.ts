/** Positions and margins are what was seen of an account last: an old observation is told with its age, not as what is open or there now. */
import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import type { CoverageStatus } from '../../coverage.js'
import type { Ask } from '../../operation.js'

const askedAccounts = loadSql(import.meta.url, 'askedAccounts.sql')

/** What is to be said of whose positions are seen: of all accounts how many were asked about ('' as address), of one that it was not; null: nothing. */
export const unasked = async (address: string, ask: Ask): Promise<string | null> => {
  const [row] = await ask.store.query(askedAccounts, { address }, z.object({ asked: z.number() })), asked = row?.asked ?? 0
  if (address !== '') return asked > 0 ? null : 'The venue was never asked about this account: what it holds is not known'
  return asked === 0 ? null : `Positions are those of ${asked} accounts that the venue was asked about within a day of the newest answer; others may hold larger ones`
}

/** Accounts that are followed are asked about every minute; within the hour an observation counts as of now. */
const freshMs = 3_600_000

/** `status` with when the oldest of `positions` was seen, where that is more than an hour ago. */
export const aged = (status: CoverageStatus, positions: readonly { readonly observed_at: string }[]): CoverageStatus => {
  const oldest = Math.min(...positions.map(({ observed_at: at }) => Date.parse(at)))
  return oldest >= Date.now() - freshMs ? status : { ...status, warnings: [...status.warnings, `Of the positions some were seen last at ${new Date(oldest).toISOString()}: they may be closed since`] }
}

/** `status` with when an account's margin was seen, where that is more than an hour ago; null: nothing is told of it. */
export const agedAccount = (status: CoverageStatus, observedAt: string | null): CoverageStatus =>
  (observedAt === null || Date.parse(observedAt) >= Date.now() - freshMs ? status : { ...status, warnings: [...status.warnings, `The account value was seen last at ${new Date(observedAt).toISOString()}: it may be another now`] })
