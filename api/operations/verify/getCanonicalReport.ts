import { z } from 'zod'
import { operation } from '../../operation.js'
import { contentHashField, reportOf } from './report.js'

export default operation({
  name: 'get_canonical_report', route: 'GET /v1/verify/{content_hash}/canonical', auth: 'public', lane: 'compliance', tool: false, media: 'application/json',
  summary: 'The exact bytes of a signed report (RFC 8785) that were hashed and signed.',
  input: z.object({ content_hash: contentHashField }), output: z.string(),
  run: async ({ content_hash: hash }, ask) => (await reportOf(hash, ask)).canonical,
})
