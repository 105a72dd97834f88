/** ClickHouse's errors as an analyst may see them: what is wrong and where, nothing of the server. */
import { AppError, unavailable } from '../../schemas/errors.js'
import { statementsOfTier, type AnalystLimits } from '../../schemas/analysts.js'
import { rateLimited } from '../faults.js'
import { refused } from './guard.js'

const most = 400

/** The text of a server's error without codes, versions, paths, hosts, names of databases and users, and of what runs inside a view. */
export const cleaned = (text: string, databases: readonly string[]): string => {
  let clean = text.replace(/^(Code: \d+\. )?((DB|Poco)::\w*Exception[:.] ?)*/, '').replace(/\(version [^)]*\)/g, '').replace(/\s*\([A-Z][A-Z0-9_]+\)\s*$/, '')
    .replace(/^Cannot parse string '(\w+: 0x and \d+ hex digits[^']*)' as UInt8[\s\S]*$/, '$1')
    .replace(/^Empty list of columns (?:passed|in projection)/, 'No column is left to select. A view with a parameter is asked with it: transfers_of(address = \'0x…\')')
    .replace(/[:.]? ?while (executing|processing|converting)[\s\S]*$/i, '').replace(/:? in scope [\s\S]*?(?=\. Maybe you meant|: Note|$)/i, '').replace(/ Expected one of: ([\s\S]{0,120})[\s\S]*$/, ' Expected one of: $1')
  for (const database of databases) clean = clean.replaceAll(`${database}.`, '').replaceAll(`\`${database}\`.`, '').replaceAll(database, '')
  return clean.replace(/ ?\(?\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b\)?/g, '').replace(/\b[\w-]*analyst_\w+: ?/g, '').replace(/(?<![\w.])(?:\/[\w.@+-]+){2,}\/?/g, '(path)').replace(/\b\d{1,3}(\.\d{1,3}){3}(:\d+)?\b/g, '(host)').replace(/\b\d+\.\d+\.\d+\.\d+\b/g, '')
    .replace(/\s+/g, ' ').trim().slice(0, most)
}

/** The text of a server's error about a statement that had `before` characters put before it: places are told in the statement as its author wrote it. In its first line a column is the position. */
export const relocated = (text: string, before: number): string => {
  const [said, position] = /Syntax error: failed at position (\d+)/.exec(text) ?? []
  if (said === undefined || position === undefined) return text
  const own = Number(position) - before
  return text.replace(said, `Syntax error: failed at position ${own}`).replace(`(line 1, col ${position})`, `(line 1, col ${own})`)
}

const limit = (message: string): AppError => new AppError('SQL_LIMIT', message, { status: 422, body: { parameter: 'query', hint: 'Bound block_number or hour, name the columns you need, use the views with a parameter; preview tells the cost before. get_sql_schema (GET /v1/sql/schema) tells your limits.' } })
const number = (value: number): string => value.toLocaleString('en-US')

/** What of the hour is used up, by the name the server has for it. Its intervals of an hour are the hours of the clock (UTC). */
const usedUpOf = (text: string, { hourly: { queries, readRows, seconds } }: AnalystLimits, now: number): AppError => {
  const [, resource = ''] = /has been exceeded: (\w+) = /.exec(text) ?? []
  const hour = 3_600, left = Math.max(1, Math.ceil(hour - (now / 1_000) % hour))
  if (resource === 'read_rows') return rateLimited(left, { name: 'rows_read', limit: readRows, seconds: hour }, 'The rows this account may read in an hour are used up')
  if (resource === 'execution_time') return rateLimited(left, { name: 'seconds_run', limit: seconds, seconds: hour }, 'The seconds this account\'s statements may run in an hour are used up')
  return rateLimited(left, { name: 'statements', limit: queries, seconds: hour }, 'This key\'s statements of the hour are used up')
}

/** The error that the server's answer `text` (Code: 62. DB::Exception: …) means for the caller at `now` (Unix milliseconds). */
export const faultOf = (text: string, limits: AnalystLimits, databases: readonly string[], now = Date.now()): AppError => {
  const code = Number(/^(?:Code: |[\s\S]{0,40}?Code: )(\d+)/.exec(text)?.[1] ?? 0)
  if (code === 497 || code === 164 || code === 291 || code === 344) return refused('Only published views can be read, and nothing can be written or set.')
  if (code === 358) return refused('INTO OUTFILE is not possible.')
  if (code === 159 || code === 160) return limit(`The statement ran longer than ${limits.seconds} s.`)
  if (code === 241) return limit(`The statement needs more than ${number(limits.memoryBytes / 1e6)} MB of memory.`)
  if (code === 158 || code === 307) return limit(`The statement reads more than ${number(limits.rowsToRead)} rows.`)
  if (code === 396) return limit(`The answer has more than ${number(limits.resultRows)} rows.`)
  if (code === 201) return usedUpOf(text, limits, now)
  // A caller's own places are counted before; these are shared by all callers of a tier, or by all users of the server.
  if (code === 202) return text.includes('for user') ? rateLimited(5, { name: 'statements_at_once_of_tier', limit: statementsOfTier }, `All keys of this tier together run ${statementsOfTier} statements already`) : unavailable('SQL for analysts', new Error(text.slice(0, most)))
  if (code === 0 || [192, 193, 194, 209, 210, 216, 243, 394, 516, 999].includes(code)) return unavailable('ClickHouse', new Error(text.slice(0, most)))
  if (code === 62 && text.includes('Multi-statements')) return refused('Only one SELECT can be asked: there are several statements.')
  return new AppError('SQL_INVALID', cleaned(text, databases) || 'The statement cannot be run', { status: 422, body: { parameter: 'query', hint: 'get_sql_schema (GET /v1/sql/schema) lists views and columns.' } })
}
