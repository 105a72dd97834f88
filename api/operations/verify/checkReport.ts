import { z } from 'zod'
import { operation } from '../../operation.js'
import { checkSent, Verification } from './report.js'

export default operation({
  name: 'check_report', route: 'POST /v1/verify', auth: 'public', lane: 'compliance', tool: false,
  summary: 'Checks a signed report that you have: send the text of the file as it is. Every byte of it counts. Nothing is kept.',
  input: z.object({ file: z.string().min(2).max(1_000_000).describe('Text of the file /v1/verify/{content_hash}/signed gives') }),
  output: Verification.extend({ content_hash: z.string().nullable().describe('That the report says it has; null: it is no report') }),
  run: ({ file }, ask) => checkSent(file, ask),
})
