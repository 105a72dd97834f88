import { z } from 'zod'
import { Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { emptyBecause } from '../../empty.js'
import { operation } from '../../operation.js'

const countReports = loadSql(import.meta.url, 'countReports.sql')
const newestDay = loadSql(import.meta.url, 'newestDay.sql')
const Day = z.object({ day: z.iso.date(), tree_size: z.number().int(), root: z.string(), statement: z.string(), key_id: z.string(), public_key: z.string(), signature: z.string() })
const Kind = z.object({ kind: z.string(), reports: z.number().int(), newest: Instant })

export default operation({
  name: 'get_verification', route: 'GET /v1/verify', auth: 'public', lane: 'compliance', tool: true, cacheSeconds: 30, sources: ['reports'], rows: 'kinds',
  summary: 'How signed reports are verified, and how many were signed here. Use verify_report for one of them.',
  input: z.object({}),
  output: z.object({
    total: z.number().int(), kinds: z.array(Kind), canonical_form: z.literal('RFC 8785'), content_hash: z.literal('SHA-256'), signature: z.literal('HMAC-SHA256'), public_signature: z.literal('Ed25519'), steps: z.array(z.string()),
    newest_day: Day.nullable().describe('The last day closed: Merkle root (RFC 6962) over its reports, signed; null: none yet'),
    links: z.object({ report: z.string(), signed: z.string(), canonical: z.string(), pdf: z.string(), attestation: z.string() }),
  }),
  // Every report is kept, so none is an answer.
  empty: () => emptyBecause('no_signal'),
  run: async (_input, { store }) => {
    const [kinds, [day]] = await Promise.all([store.query(countReports, {}, Kind), store.query(newestDay, {}, Day)])
    return {
      total: kinds.reduce((sum, { reports }) => sum + reports, 0), kinds, canonical_form: 'RFC 8785' as const, content_hash: 'SHA-256' as const, signature: 'HMAC-SHA256' as const, public_signature: 'Ed25519' as const,
      steps: [
        'Fetch canonical: the exact bytes that were signed. Their SHA-256 is the content hash.', 'attestation.ed25519.signature is over those bytes; the public keys, also old ones, are at attestation.',
        'Offline: fetch signed, then npm run verify-report FILE PUBLIC_KEY. Every byte of the file counts.', 'Here: GET the report, or POST a file you have; HMAC-SHA256 is checked too.',
      ],
      newest_day: day ?? null,
      links: { report: '/v1/verify/{content_hash}', signed: '/v1/verify/{content_hash}/signed', canonical: '/v1/verify/{content_hash}/canonical', pdf: '/v1/verify/{content_hash}/pdf', attestation: '/attestation' },
    }
  },
})
