import { Readable } from 'node:stream'
import { z } from 'zod'
import { operation } from '../../operation.js'
import { finiteCsv } from '../../sql/finite.js'
import { Streamed } from '../../sql/streamed.js'
import type { AppError } from '../../../schemas/errors.js'
import { Estimate, estimateOf, outcomeOf, previewField, queryField, told } from './statement.js'

const formats = {
  csv: { server: 'CSVWithNames', type: 'text/csv; charset=utf-8; header=present' },
  ndjson: { server: 'JSONEachRow', type: 'application/x-ndjson; charset=utf-8' },
  parquet: { server: 'Parquet', type: 'application/vnd.apache.parquet' },
} as const
const types = Object.values(formats).map(({ type }) => type.split(';')[0] ?? '')

export default operation({
  name: 'export_sql', route: 'POST /v1/sql', auth: 'key', tier: 'pro', lane: 'system', tool: false, streams: types,
  summary: 'All rows of one SELECT over the published views, by stream, as CSV, NDJSON or Parquet. An error after the first byte is the last line of NDJSON ({"_error":…}); CSV and Parquet are broken off, so that no part passes for the whole.',
  input: z.object({ query: queryField, format: z.enum(['csv', 'ndjson', 'parquet']).default('csv').describe('Format of the rows; in CSV \\N is null, nan and inf included'), preview: previewField }),
  output: z.object({ estimate: Estimate }).describe('With preview; otherwise the rows'),
  run: async ({ query, format, preview }, ask) => {
    const { analysts } = ask.services
    const started = performance.now()
    const { server, type } = formats[format]
    let queryId: string | undefined
    const tell = (outcome: string, bytes?: number) => told(ask, 'export_sql', query, { format: preview ? 'preview' : format, milliseconds: performance.now() - started, ...(queryId === undefined ? {} : { queryId }), ...(bytes === undefined ? {} : { bytes }) }, outcome)
    try {
      if (preview) {
        const estimate = estimateOf(await analysts.estimate(ask.principal, query, ask.signal))
        await tell('ok')
        return { estimate }
      }
      let outcome = 'ok'
      const late = (fault: AppError): Buffer => {
        outcome = fault.code
        if (format !== 'ndjson') throw fault
        return Buffer.from(`${JSON.stringify({ _error: { code: fault.code, message: fault.message } })}\n`)
      }
      const running = await analysts.run(ask.principal, query, server, late, ask.signal)
      queryId = running.queryId
      const counted = async function* (): AsyncGenerator<Buffer> {
        let bytes = 0
        let whole = false
        try {
          for await (const chunk of format === 'csv' ? finiteCsv(running.rows) : running.rows) { bytes += chunk.length; yield chunk }
          whole = true
        } catch (thrown) {
          outcome = outcomeOf(thrown)
          throw thrown
        } finally {
          await tell(whole || outcome !== 'ok' ? outcome : 'CALLER_GONE', bytes)
        }
      }
      return new Streamed(type, Readable.from(counted(), { objectMode: false }), { 'X-Query-Id': queryId, 'Content-Disposition': `attachment; filename="query.${format}"` }) as never
    } catch (thrown) {
      await tell(outcomeOf(thrown))
      throw thrown
    }
  },
})
