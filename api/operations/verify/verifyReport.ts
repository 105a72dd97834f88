import { z } from 'zod'
import { Instant } from '../../../schemas/primitives.js'
import { operation } from '../../operation.js'
import { contentHashField, recheck, reportOf, Verification } from './report.js'

export default operation({
  name: 'verify_report', route: 'GET /v1/verify/{content_hash}', auth: 'public', lane: 'compliance', tool: true,
  summary: 'A signed compliance report as it was signed, with its signature checked again. 404 where no such report was signed here.',
  input: z.object({ content_hash: contentHashField }),
  output: z.object({
    content_hash: z.string(), kind: z.string(), subject: z.string(), chain: z.string(), created_at: Instant, report: z.record(z.string(), z.unknown()),
    attestation: z.object({ algorithm: z.literal('HMAC-SHA256'), signature: z.string(), key: z.string().describe('Name of the key') }), verification: Verification,
  }),
  run: async ({ content_hash: hash }, ask) => {
    const report = await reportOf(hash, ask)
    const { content_hash, kind, subject, chain, created_at, canonical, signature, key_name: key } = report
    return {
      content_hash, kind, subject, chain, created_at, report: z.record(z.string(), z.unknown()).parse(JSON.parse(canonical)), attestation: { algorithm: 'HMAC-SHA256' as const, signature, key }, verification: recheck(report),
    }
  },
})
