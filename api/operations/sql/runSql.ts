import { z } from 'zod'
import { operation } from '../../operation.js'
import { untrusted, visible } from '../../untrusted.js'
import { AppError } from '../../../schemas/errors.js'
import { Estimate, estimateOf, outcomeOf, previewField, queryField, told } from './statement.js'

const mostBytes = 262_144
const longestMs = 20_000
const Names = z.array(z.string())

const tooLong = (): AppError => new AppError('SQL_LIMIT', `The statement ran longer than ${longestMs / 1_000} s.`, { status: 422, body: { parameter: 'query', hint: 'POST /v1/sql gives it more time.' } })
const tooLarge = (): AppError => new AppError('SQL_LIMIT', `The next row alone is larger than ${mostBytes.toLocaleString('en')} bytes.`, { status: 422, body: { parameter: 'query', hint: 'Select fewer columns or parts of them, as substring(column, 1, 1000). POST /v1/sql streams rows of any length.' } })
/** Texts in the rows may be those of strangers. Nothing is cut but by the bytes of the page: what is left of a value is not that value. */
const shown = (value: unknown): unknown => (typeof value === 'string' ? visible(value) : Array.isArray(value) ? value.map(shown) : typeof value === 'object' && value !== null ? shownMap(value) : value)
/** Names that differ only in what cannot be seen are told apart by a number. */
const shownMap = (map: object): object => {
  const given = new Map<string, unknown>()
  for (const [key, one] of Object.entries(map)) {
    const name = visible(key)
    let free = name
    for (let n = 2; given.has(free) || (free !== key && Object.hasOwn(map, free)); n++) free = `${name} (${n})`
    given.set(free, shown(one))
  }
  return Object.fromEntries(given)
}

const howToGetMore = 'POST /v1/sql {"query":…,"format":"csv"} (tier pro) streams all rows; or raise limit, or go on with offset, where the statement has an ORDER BY.'

/** Lines of the rows after the first `offset`, at most `limit` and about `mostBytes`; the two lines before them are names and types. Throws where not one of the rows there are fits: nobody would get past it. */
const read = async (rows: AsyncGenerator<Buffer>, limit: number, offset: number): Promise<{ lines: string[]; truncated: boolean }> => {
  const lines: string[] = []
  // The line that is begun, of which nothing is kept where it will be skipped.
  let begun: Buffer[] = []
  let held = 0, bytes = 0, ended = 0
  let full = false, more = false
  const isSkipped = (): boolean => ended >= 2 && ended < offset + 2
  const keep = (part: Buffer): void => { if (!isSkipped() && part.length > 0) { begun.push(part); held += part.length } }
  for await (const chunk of rows) {
    if (full) { more = true; break }
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      keep(chunk.subarray(from, end))
      if (held > 0) lines.push(Buffer.concat(begun).toString('utf8'))
      begun = []
      held = 0
      ended++
      from = end + 1
    }
    keep(chunk.subarray(from))
    bytes = ended < offset + 2 ? 0 : bytes + chunk.length
    if (lines.length > limit + 2) break
    // Where a line is begun there is more; behind a whole one only the next bytes tell. What was skipped alone fills no page.
    full = bytes > mostBytes && (lines.length > 2 || held > mostBytes)
    if (full && held > 0) break
  }
  let size = 0
  const fitting = lines.slice(0, limit + 2).findIndex((line) => (size += line.length) > mostBytes)
  const kept = fitting < 0 ? Math.min(lines.length, limit + 2) : fitting
  const truncated = more || kept < lines.length || held > 0
  if (truncated && kept <= 2) throw tooLarge()
  return { lines: lines.slice(0, kept), truncated }
}

export default operation({
  name: 'run_sql', aliases: ['query_sql', 'sql'], route: 'POST /v1/sql/rows', auth: 'key', lane: 'system', tool: true, sources: ['store'], rows: 'rows', foreign: ['rows'],
  summary: 'First rows of one SELECT over the published views, which get_sql_schema lists. POST /v1/sql streams all rows.',
  input: z.object({ query: queryField, limit: z.number().int().min(1).max(1_000).default(100).describe('Rows'), offset: z.number().int().min(0).default(0).describe('Rows to skip'), preview: previewField }),
  output: z.object({
    columns: z.array(z.object({ name: z.string(), type: z.string() })), rows: z.array(z.array(z.unknown())), count: z.number().int(),
    truncated: z.boolean().describe('true: there are more rows'), more: z.string().nullable().describe('How to get them'), estimate: Estimate.nullable(),
  }),
  asked: ({ estimate }) => estimate === null,
  remainder: (args, { rows, truncated }, given) => (given < rows.length || truncated
    ? { next: { ...args, offset: Number(args['offset'] ?? 0) + given }, hint: 'next gives the rows after these where the statement has an ORDER BY: without one a second run may order them otherwise.', instead: { truncated: true, more: howToGetMore } }
    : { next: null, hint: 'Select fewer or shorter columns, or connect with ?max_tokens= for longer answers.' }),
  run: async ({ query, limit, offset, preview }, ask) => {
    const { analysts } = ask.services
    const started = performance.now()
    const late = AbortSignal.timeout(longestMs)
    const signal = AbortSignal.any([ask.signal, late])
    let queryId: string | undefined
    const tell = (outcome: string) => told(ask, 'run_sql', query, { format: preview ? 'preview' : 'rows', milliseconds: performance.now() - started, ...(queryId === undefined ? {} : { queryId }) }, outcome)
    try {
      if (preview) {
        const estimate = estimateOf(await analysts.estimate(ask.principal, query, signal))
        await tell('ok')
        return { columns: [], rows: [], count: 0, truncated: false, more: null, estimate }
      }
      const running = await analysts.run(ask.principal, query, 'JSONCompactEachRowWithNamesAndTypes', (fault) => { throw fault }, signal)
      queryId = running.queryId
      const { lines: [names = '[]', types = '[]', ...lines], truncated } = await read(running.rows, limit, offset)
      const kinds = Names.parse(JSON.parse(types))
      const rows = lines.map((line) => (JSON.parse(line) as unknown[]).map(shown))
      await tell('ok')
      return {
        columns: Names.parse(JSON.parse(names)).map((name, at) => ({ name: untrusted(name, 200), type: kinds[at] ?? '' })), rows, count: rows.length, truncated,
        more: truncated ? howToGetMore : null, estimate: null,
      }
    } catch (thrown) {
      const fault = late.aborted && !ask.signal.aborted ? tooLong() : thrown
      await tell(outcomeOf(fault))
      throw fault
    }
  },
})
