import { z } from 'zod'
import { wholeOf } from '../../../schemas/attest/signedReport.js'
import { Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { operation } from '../../operation.js'
import { contentHashField, Kept, noReport } from '../verify/report.js'
import { Links, linksOf } from './links.js'

const findOwnReport = loadSql(import.meta.url, 'findOwnReport.sql')

export default operation({
  name: 'get_report', route: 'GET /v1/reports/{content_hash}', auth: 'key', tier: 'compliance', lane: 'compliance', tool: false,
  summary: 'One signed report of your key, as it was signed. That of another key is not found.',
  input: z.object({ content_hash: contentHashField }),
  output: z.object({ content_hash: z.string(), kind: z.string(), subject: z.string(), chain: z.string(), created_at: Instant, report: z.record(z.string(), z.unknown()), links: Links }),
  run: async ({ content_hash: hash }, { store, principal, baseUrl, signal }) => {
    const [kept] = await store.query(findOwnReport, { hash: hash.toLowerCase(), owner: principal.owner }, Kept, {}, signal)
    if (kept === undefined) throw noReport()
    const { content_hash, kind, subject, chain, created_at } = kept
    return { content_hash, kind, subject, chain, created_at, report: wholeOf(kept), links: linksOf(content_hash, baseUrl) }
  },
})
