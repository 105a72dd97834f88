import { z } from 'zod'
import { fileOf } from '../../../schemas/attest/signedReport.js'
import { operation } from '../../operation.js'
import { contentHashField, reportOf } from './report.js'

export default operation({
  name: 'get_signed_report', route: 'GET /v1/verify/{content_hash}/signed', auth: 'public', lane: 'compliance', tool: false, media: 'application/json',
  summary: 'A signed report as a file, with its attestation: what npm run verify-report checks offline.',
  input: z.object({ content_hash: contentHashField }), output: z.string(),
  run: async ({ content_hash: hash }, ask) => fileOf(await reportOf(hash, ask)),
})
