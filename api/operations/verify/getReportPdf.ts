import { z } from 'zod'
import { operation } from '../../operation.js'
import { drawReport } from './pdf/renderer.js'
import { contentHashField, recheck, reportOf } from './report.js'

export default operation({
  name: 'get_report_pdf', route: 'GET /v1/verify/{content_hash}/pdf', auth: 'public', lane: 'compliance', tool: false, media: 'application/pdf',
  summary: 'A signed report for reading and printing, with its content hash on every page and the signed file attached.',
  input: z.object({ content_hash: contentHashField }), output: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  run: async ({ content_hash: hash }, ask) => {
    const report = await reportOf(hash, ask)
    return drawReport(report, (await recheck(report, ask)).verdict === 'valid')
  },
})
