import { z } from 'zod'
import { Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { emptyBecause } from '../../empty.js'
import { operation } from '../../operation.js'

const countReports = loadSql(import.meta.url, 'countReports.sql')
const Kind = z.object({ kind: z.string(), reports: z.number().int(), newest: Instant })

export default operation({
  name: 'get_verification', route: 'GET /v1/verify', auth: 'public', lane: 'compliance', tool: true, cacheSeconds: 30, sources: ['reports'], rows: 'kinds',
  summary: 'How signed reports are verified, and how many were signed here. Use verify_report for one of them.',
  input: z.object({}),
  output: z.object({
    total: z.number().int(), kinds: z.array(Kind), canonical_form: z.literal('RFC 8785'), content_hash: z.literal('SHA-256'), signature: z.literal('HMAC-SHA256'), steps: z.array(z.string()),
    links: z.object({ report: z.string(), canonical: z.string(), pdf: z.string(), attestation: z.string() }),
  }),
  // Every report is kept, so none is an answer.
  empty: () => emptyBecause('no_signal'),
  run: async (_input, { store }) => {
    const kinds = await store.query(countReports, {}, Kind)
    return {
      total: kinds.reduce((sum, { reports }) => sum + reports, 0), kinds, canonical_form: 'RFC 8785' as const, content_hash: 'SHA-256' as const, signature: 'HMAC-SHA256' as const,
      steps: ['Fetch canonical: the exact bytes that were signed.', 'Its SHA-256 is the content hash.', 'Fetch the report: the signature is checked again on every request, see verification.'],
      links: { report: '/v1/verify/{content_hash}', canonical: '/v1/verify/{content_hash}/canonical', pdf: '/v1/verify/{content_hash}/pdf', attestation: '/attestation' },
    }
  },
})
