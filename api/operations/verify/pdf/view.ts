/** A report as the PDF shows it. Reports are kept for ever: what one does not have, or has in another shape, is shown as not there. */
import { z } from 'zod'
import type { Json } from '../../../../schemas/attest/canonical.js'

const text = z.string().catch('')
const amount = z.number().nullable().catch(null)
const texts = z.array(z.string()).catch([])
const Data = z.record(z.string(), z.unknown()).catch({})
export const Evidence = z.object({ id: text, kind: text, source: text, data: Data })
export type Evidence = z.infer<typeof Evidence>
const Part = z.object({ score: amount, reason: text, evidence: texts })
const Block = z.object({ height: amount, block_hash: text, block_time: text }).nullable().catch(null)
const List = z.object({ source: text, status: text, list_version: text, list_sha256: text, addresses: amount, loaded_at: text })
const Height = z.object({ chain: text, oldest_block: amount, blocks: amount, missing_blocks: amount, btc_clusters_as_of_height: z.number().nullish().catch(undefined), begun_at: Block, ended_at: Block })

const View = z.object({
  kind: text, report_id: text, generated_at: text, subject: z.object({ chain: text, address: text }).catch({ chain: '', address: '' }),
  conclusion: z.object({ status: text, sanctions_status: text, match_count: amount, risk_score: amount, risk_level: text, risk_at_least: amount, unknown: texts }).nullable().catch(null),
  findings: z.record(z.string(), Part).catch({}), lists: z.array(List).catch([]), evidence: z.array(Evidence).catch([]), evidence_left_out: z.record(z.string(), z.number()).catch({}), heights: z.array(Height).catch([]),
  git_commit: text, alembic_head: text, versions: z.record(z.string(), z.string()).catch({}), eval_baseline: z.object({ rules: z.unknown(), sha256: text }).nullable().catch(null), data_provenance: z.record(z.string(), z.number()).catch({}), disclaimer: text,
})
export type View = z.infer<typeof View>

const Levels = z.object({ score: z.object({ severe: amount, high: amount }) })
/** From which score on the rule of a report has a risk severe, or high. */
export const levelsIn = (rules: unknown): { readonly severe: number | null; readonly high: number | null } => Levels.safeParse(rules).data?.score ?? { severe: null, high: null }

/** What of `report` can be shown. */
export const viewOf = (report: Json): View => View.parse(report)

/** A member of a row as text; '' where it is none. */
export const textIn = (data: Json, name: string): string => { const value = data[name]; return typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : '' }
/** A member of a row as a number; null where it is none. */
export const numberIn = (data: Json, name: string): number | null => { const value = data[name]; return typeof value === 'number' ? value : null }
/** What is said of a row that a cluster tells whose it is, or that it is in the subject's own; '' of any other. */
export const clusterNote = (data: Json): string => (textIn(data, 'cluster') === '' ? '' : textIn(data, 'entity') === '' ? 'own cluster, as known now' : 'by cluster, as known now')
/** The same beside `name`. */
export const withCluster = (data: Json, name: string): string => { const note = clusterNote(data); return note === '' || name === '' ? name || note : `${name} (${note})` }
/** The same of some of several. */
export const someByCluster = (data: Json, text: string): string => { const some = numberIn(data, 'by_cluster_now') ?? 0; return some === 0 ? text : `${text} (${count(some)} by cluster, as known now)` }
/** A member of a row as texts. */
export const textsIn = (data: Json, name: string): string[] => texts.parse(data[name])

const dollars = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
/** Whole dollars; – where unknown. */
export const usd = (value: number | null): string => (value === null ? '–' : value !== 0 && Math.abs(value) < 1 ? '< $1' : `$${dollars.format(value)}`)
export const count = (value: number | null): string => (value === null ? '–' : dollars.format(value))
/** 0x1234567…90abcdef */
export const short = (address: string): string => (address.length <= 20 ? address : `${address.slice(0, 9)}…${address.slice(-6)}`)
