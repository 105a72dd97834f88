/** Evidence of a report: numbered rows, each with what it is, who or which table says so, and the row itself. */
import type { z } from 'zod'
import type { Json } from '../../../schemas/attest/canonical.js'
import type getWallet from '../wallets/getWallet.js'
import type getWalletCompliance from '../wallets/getWalletCompliance.js'
import type traceFunds from '../wallets/traceFunds.js'

export type Compliance = z.infer<typeof getWalletCompliance.output>
export type Wallet = z.infer<typeof getWallet.output>
export type Trail = z.infer<typeof traceFunds.output>
export interface Found { readonly compliance: Compliance; readonly wallet: Wallet; readonly source: Trail; readonly destination: Trail }

interface Row { readonly id: string; readonly kind: string; readonly source: string; readonly data: Json }
interface Group { readonly kind: string; readonly most: number; readonly rows: readonly { readonly source: string; readonly data: object }[] }

const rowsOf = (source: string, rows: readonly object[] | null): Group['rows'] => (rows ?? []).map((data) => ({ source, data }))

/** Whether the step at its near end is reached by a swap alone: no step before brought the same token there. */
const isAfterSwap = (step: Trail['trail'][number], { direction, trail }: Trail): boolean => {
  const [far, near] = direction === 'source' ? ['from_address', 'to_address'] as const : ['to_address', 'from_address'] as const
  return step.hop > 1 && !trail.some((one) => one.hop === step.hop - 1 && one.stopped_because === null && one.through_swap.length === 0 && one[far] === step[near] && one.token === step.token && one.root_token === step.root_token)
}

const groupsOf = ({ compliance, wallet, source, destination }: Found): Group[] => [
  { kind: 'designation', most: 100, rows: compliance.sanctions.matches.map((match) => ({ source: match.source, data: match })) },
  { kind: 'label', most: 40, rows: wallet.labels.map((label) => ({ source: label.source, data: label })) },
  { kind: 'cluster', most: 1, rows: compliance.btc_cluster === undefined || compliance.btc_cluster === null ? [] : [{ source: compliance.btc_cluster.provenance, data: compliance.btc_cluster }] },
  { kind: 'exposure', most: 60, rows: (compliance.exposure ?? []).map((row) => ({ source: row.rule, data: row })) },
  { kind: 'direct_exposure', most: 40, rows: rowsOf('transfers', compliance.counterparty_risk.exposures) },
  { kind: 'intent', most: 20, rows: rowsOf('transactions', compliance.intents) },
  { kind: 'counterparty', most: 20, rows: rowsOf('transfers', wallet.counterparties) },
  { kind: 'flow', most: 80, rows: [source, destination].flatMap((way) => rowsOf('transfers', way.trail.map((step) => ({ direction: way.direction, after_swap: isAfterSwap(step, way), ...step })))) },
]

export interface Evidence {
  readonly rows: readonly Row[]
  /** Rows that were found beyond those, by kind. */
  readonly left_out: Readonly<Record<string, number>>
}

/** The rows of everything found, numbered E1, E2, … */
export const evidenceOf = (found: Found): Evidence => {
  const groups = groupsOf(found)
  const rows = groups.flatMap(({ kind, most, rows: all }) => all.slice(0, most).map(({ source, data }) => ({ kind, source, data: data as Json }))).map((row, at) => ({ id: `E${at + 1}`, ...row }))
  return { rows, left_out: Object.fromEntries(groups.filter(({ most, rows: all }) => all.length > most).map(({ kind, most, rows: all }) => [kind, all.length - most])) }
}

/** Ids of the rows that `kind`, and `fits` where it is given, picks. */
export const idsOf = ({ rows }: Evidence, kind: string, fits: (data: Json) => boolean = () => true): string[] => rows.filter((row) => row.kind === kind && fits(row.data)).map(({ id }) => id)
