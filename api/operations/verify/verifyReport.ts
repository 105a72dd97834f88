import { z } from 'zod'
import { Attestation } from '../../../schemas/attest/signedReport.js'
import { Instant } from '../../../schemas/primitives.js'
import { operation } from '../../operation.js'
import { Inclusion, inclusionOf } from './inclusion.js'
import { contentHashField, recheck, reportOf, Verification, wholeIn } from './report.js'

export default operation({
  name: 'verify_report', route: 'GET /v1/verify/{content_hash}', auth: 'public', lane: 'compliance', tool: true,
  summary: 'A signed compliance report as it was signed, its signatures checked again, and its place in the signed tree of its day. 404 where no such report was signed here.',
  input: z.object({ content_hash: contentHashField }),
  output: z.object({
    content_hash: z.string(), kind: z.string(), subject: z.string(), chain: z.string(), created_at: Instant, report: z.record(z.string(), z.unknown()).nullable().describe('null: what is kept is no report any more'),
    attestation: Attestation, verification: Verification, inclusion: Inclusion,
  }),
  run: async ({ content_hash: hash }, ask) => {
    const report = await reportOf(hash, ask)
    const { content_hash, kind, subject, chain, created_at, attestation } = report
    const [verification, inclusion] = await Promise.all([recheck(report, ask), inclusionOf(report, ask)])
    return { content_hash, kind, subject, chain, created_at, report: wholeIn(report), attestation, verification, inclusion }
  },
})
