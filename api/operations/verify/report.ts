/** Signed reports as they are kept, and the check of one. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { AppError } from '../../../schemas/errors.js'
import { Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import type { Ask } from '../../operation.js'

const findReport = loadSql(import.meta.url, 'findReport.sql')
export const contentHashField = z.string().regex(/^[0-9a-fA-F]{64}$/).describe('content_hash of the report: SHA-256 of its canonical text, 64 hex digits')
const Kept = z.object({ content_hash: z.string(), kind: z.string(), subject: z.string(), chain: z.string(), canonical: z.string(), signature: z.string(), key_name: z.string(), created_at: z.string(), secret: z.string() })
export type Report = z.infer<typeof Kept>

export const Verification = z.object({
  hash_matches: z.boolean().describe('SHA-256 of the canonical text is the content hash'), signature_valid: z.boolean().nullable().describe('null: the key it was signed under is gone'), checked_at: Instant,
})

/** The report of `hash`; throws 404 REPORT_NOT_FOUND. */
export const reportOf = async (hash: string, { store }: Ask): Promise<Report> => {
  const [kept] = await store.query(findReport, { hash: hash.toLowerCase() }, Kept)
  if (kept === undefined) throw new AppError('REPORT_NOT_FOUND', 'No report with this content hash was signed here', { status: 404, body: { hint: 'A report carries its content_hash; GET /v1/verify says how to compute it.' } })
  return kept
}

const same = (a: string, b: string): boolean => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** Hashes and signs the kept text again and compares. */
export const recheck = ({ canonical, content_hash: hash, signature, secret }: Report): z.infer<typeof Verification> => ({
  hash_matches: same(createHash('sha256').update(canonical).digest('hex'), hash),
  signature_valid: secret === '' ? null : same(createHmac('sha256', secret).update(canonical).digest('hex'), signature), checked_at: new Date().toISOString(),
})
