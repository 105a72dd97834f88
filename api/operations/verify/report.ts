/** Signed reports as they are kept, and the check of one by this installation, which has the secrets too. */
import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { Check, checkFile, checkWhole, verdicts, type Checked } from '../../../schemas/attest/checkReport.js'
import type { Json } from '../../../schemas/attest/canonical.js'
import { Attestation, wholeOf } from '../../../schemas/attest/signedReport.js'
import { AppError } from '../../../schemas/errors.js'
import { Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import type { Ask } from '../../operation.js'

const findReport = loadSql(import.meta.url, 'findReport.sql')
export const contentHashField = z.string().regex(/^[0-9a-fA-F]{64}$/).describe('content_hash of the report: SHA-256 of its canonical text, 64 hex digits')
export const Kept = z.object({ content_hash: z.string(), kind: z.string(), subject: z.string(), chain: z.string(), canonical: z.string(), attestation: z.string().transform((text) => Attestation.parse(JSON.parse(text))), created_at: z.string() })
export type Report = z.infer<typeof Kept>

export const Verification = z.object({
  verdict: z.enum(verdicts), hash_matches: z.boolean().describe('SHA-256 of the canonical text is the content hash'), signature_valid: z.boolean().nullable().describe('HMAC-SHA256; null: the key it was signed under is gone'),
  ed25519_valid: z.boolean(), seal_valid: z.boolean(), checks: z.array(Check), checked_at: Instant,
})
export type Verification = z.infer<typeof Verification>

/** 404: nobody here signed such a report, or it is not the caller's. */
export const noReport = (): AppError => new AppError('REPORT_NOT_FOUND', 'No report with this content hash was signed here', { status: 404, body: { hint: 'A report carries its content_hash; GET /v1/verify says how to compute it.' } })

/** The report of `hash`; throws 404 REPORT_NOT_FOUND. */
export const reportOf = async (hash: string, { store, signal }: Pick<Ask, 'store' | 'signal'>): Promise<Report> => {
  const [kept] = await store.query(findReport, { hash: hash.toLowerCase() }, Kept, {}, signal)
  if (kept === undefined) throw noReport()
  return kept
}

const same = (a: string, b: string): boolean => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** What `checked` leaves to those who have the secrets. */
const withSecrets = async ({ verdict, checks, report }: Checked, ask: Ask): Promise<Verification> => {
  const own = report === null ? null : await ask.services.attestation.hmac(report.attestation.key_id, report.canonical)
  const mac = report === null || own === null ? null : same(own, report.attestation.signature)
  const all = report === null ? checks : [...checks, { check: 'hmac' as const, passed: mac, detail: mac === null ? 'The secret it was signed under is not here' : 'HMAC-SHA256 over the canonical text' }]
  const passed = (name: Check['check']): boolean => all.find(({ check }) => check === name)?.passed === true
  return { verdict: mac === false ? 'invalid' : verdict, hash_matches: passed('content_hash'), signature_valid: mac, ed25519_valid: passed('signature'), seal_valid: passed('seal'), checks: [...all], checked_at: new Date().toISOString() }
}

/** Points of every key there ever was here. */
const pointsOf = async ({ services }: Ask): Promise<string[]> => (await services.attestation.published()).map(({ jwk }) => jwk.x)

/** A kept report as one object; null: what is kept is no report any more. */
export const wholeIn = (report: Report): Json | null => { try { return wholeOf(report) } catch { return null } }

/** Hashes a kept report again and checks every signature. */
export const recheck = async (report: Report, ask: Ask): Promise<Verification> => withSecrets(checkWhole(wholeIn(report), await pointsOf(ask)), ask)

/** Checks the text of a file that somebody sent; and the hash it says it has, null where it says none. */
export const checkSent = async (text: string, ask: Ask): Promise<Verification & { readonly content_hash: string | null }> => {
  const checked = checkFile(Buffer.from(text), await pointsOf(ask))
  return { ...await withSecrets(checked, ask), content_hash: checked.report?.content_hash ?? null }
}
