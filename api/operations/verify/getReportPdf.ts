import { z } from 'zod'
import { operation } from '../../operation.js'
import { pdfOf } from '../../pdf.js'
import { contentHashField, recheck, reportOf } from './report.js'

export default operation({
  name: 'get_report_pdf', route: 'GET /v1/verify/{content_hash}/pdf', auth: 'public', lane: 'compliance', tool: false, media: 'application/pdf',
  summary: 'A signed report for reading and printing, with its content hash and signature.',
  input: z.object({ content_hash: contentHashField }), output: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  run: async ({ content_hash: hash }, ask) => {
    const report = await reportOf(hash, ask)
    const { hash_matches: matches, signature_valid: valid } = await recheck(report, ask)
    return pdfOf(`Report ${report.kind}`, [
      `Subject         ${report.subject}`, `Chain           ${report.chain}`, `Signed at       ${report.created_at}`, `Content hash    ${report.content_hash}`, `HMAC-SHA256     ${report.attestation.signature}`,
      `Checked         hash ${matches ? 'matches' : 'DOES NOT MATCH'}, signature ${valid === null ? 'not checked: the key is gone' : valid ? 'valid' : 'NOT VALID'}`, `Verify at       ${ask.baseUrl}/v1/verify/${report.content_hash}`, '',
      ...JSON.stringify(JSON.parse(report.canonical), null, 2).split('\n'),
    ])
  },
})
