/** Who runs statements of other people in ClickHouse: one user a tier, who may read the published views and whose limits nobody can raise. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

export interface AnalystLimits {
  /** Seconds, bytes of memory, rows read and rows answered of one statement. */
  readonly seconds: number
  readonly memoryBytes: number
  readonly rowsToRead: number
  readonly resultRows: number
  readonly threads: number
  /** Statements of one key at the same time. */
  readonly atOnce: number
  /** Of one key, in an hour: statements (each is asked twice, once for what it is made of), rows read, seconds. */
  readonly hourly: { readonly queries: number; readonly readRows: number; readonly seconds: number }
}

const paid: AnalystLimits = { seconds: 60, memoryBytes: 1e9, rowsToRead: 5e9, resultRows: 1e7, threads: 2, atOnce: 2, hourly: { queries: 2_000, readRows: 1e11, seconds: 3_600 } }

/** What a key may ask of the store, by its tier. */
export const analystLimits = {
  free: { seconds: 5, memoryBytes: 3e8, rowsToRead: 1e8, resultRows: 1e5, threads: 1, atOnce: 1, hourly: { queries: 300, readRows: 2e9, seconds: 300 } },
  pro: paid,
  compliance: paid,
  enterprise: { seconds: 300, memoryBytes: 4e9, rowsToRead: 1e11, resultRows: 1e8, threads: 4, atOnce: 4, hourly: { queries: 20_000, readRows: 1e12, seconds: 14_400 } },
} as const satisfies Record<string, AnalystLimits>
export type AnalystTier = keyof typeof analystLimits
export const analystTiers = Object.keys(analystLimits) as readonly AnalystTier[]

/** Statements of all keys of one tier at the same time: they share a user. */
export const statementsOfTier = 16

/** The database of published views beside `database`. */
export const publishedIn = (database: string): string => `published_${database}`

/** Settings of a tier's user. readonly 1: no statement and no request changes any of them. */
export const analystSettings = (tier: AnalystTier): Readonly<Record<string, string | number>> => {
  const { seconds, memoryBytes, rowsToRead, resultRows, threads } = analystLimits[tier]
  return {
    readonly: 1, max_execution_time: seconds, max_memory_usage: memoryBytes, max_rows_to_read: rowsToRead, max_result_rows: resultRows, max_threads: threads,
    read_overflow_mode: 'throw', result_overflow_mode: 'throw', timeout_overflow_mode: 'throw', timeout_before_checking_execution_speed: 0,
    // The server looks at its limits between blocks: small ones end in time.
    max_block_size: 2_048, max_joined_block_size_rows: 2_048, function_range_max_elements_in_block: 100_000,
    max_concurrent_queries_for_user: statementsOfTier, max_query_size: 65_536, max_ast_elements: 10_000, max_temporary_data_on_disk_size_for_query: memoryBytes,
    allow_introspection_functions: 0, allow_ddl: 0, cancel_http_readonly_queries_on_client_close: 1, http_write_exception_in_output_format: 0, use_query_cache: 0,
    output_format_json_quote_64bit_integers: 1, output_format_json_quote_decimals: 1, date_time_output_format: 'iso', output_format_parquet_string_as_string: 1, output_format_parquet_row_group_size: 100_000,
    compile_expressions: 0, compile_aggregate_expressions: 0, compile_sort_description: 0,
  }
}

const element = (name: string, value: string | number): string => `<${name}>${value}</${name}>`
const elements = (of: (tier: AnalystTier) => string): string => analystTiers.map((tier) => element(staticAnalyst(tier), of(tier))).join('\n')

/** The tier's user where the server's configuration names users: the embedded one, which is alone on loopback and whose own user has no password either. */
export const staticAnalyst = (tier: AnalystTier): string => `analyst_${tier}`

/** Profiles, quotas and users of all tiers, as parts of a users.xml. */
export const analystXml = (): { readonly profiles: string; readonly quotas: string; readonly users: string } => ({
  profiles: elements((tier) => Object.entries(analystSettings(tier)).map(([name, value]) => element(name, value)).join('')),
  quotas: elements((tier) => {
    const { queries, readRows, seconds } = analystLimits[tier].hourly
    return `<keyed/><interval><duration>3600</duration>${element('queries', queries * 2)}${element('read_rows', readRows)}${element('execution_time', seconds)}</interval>`
  }),
  users: elements((tier) => `<password></password><networks><ip>127.0.0.1</ip><ip>::1</ip></networks>${element('profile', staticAnalyst(tier))}${element('quota', staticAnalyst(tier))}<grants><query>GRANT SELECT ON published_*.*</query></grants>`),
})

const access = readFileSync(new URL('analystAccess.sql', import.meta.url), 'utf8').replace(/^--.*$/gm, '').split(/;\s*$/m).map((one) => one.trim()).filter((one) => one !== '')
/** The tier's user where the server keeps users itself. */
export const keptAnalyst = (database: string, tier: AnalystTier): string => `${database}_analyst_${tier}_user`

/** The statements that make keptAnalyst, or bring it up to date. The server is given a hash of the password only. */
export const accessStatements = (database: string, tier: AnalystTier, password: string): readonly string[] => {
  const { hourly } = analystLimits[tier]
  const values: Readonly<Record<string, string>> = {
    analyst: `${database}_analyst_${tier}`, settings: Object.entries(analystSettings(tier)).map(([name, value]) => `${name} = ${typeof value === 'number' ? value : `'${value}'`}`).join(', '),
    published: publishedIn(database), sha256: createHash('sha256').update(password).digest('hex'), queries: String(hourly.queries * 2), read_rows: String(hourly.readRows), seconds: String(hourly.seconds),
  }
  return access.map((statement) => statement.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => values[name] ?? ''))
}
