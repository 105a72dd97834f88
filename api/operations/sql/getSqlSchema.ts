import { z } from 'zod'
import { unfit } from '../../faults.js'
import { operation } from '../../operation.js'
import { remainderBy } from '../../remainder.js'
import { publishedIn } from '../../../schemas/analysts.js'
import { loadSql } from '../../../schemas/sql.js'

const sql = loadSql(import.meta.url, 'listPublished.sql')
const Row = z.object({ name: z.string(), description: z.string(), definition: z.string(), columns: z.array(z.tuple([z.string(), z.string(), z.string()])) })
const View = z.object({
  name: z.string(), parameter: z.string().nullable().describe('Asked for as name(parameter = …)'), description: z.string(),
  columns: z.array(z.object({ name: z.string(), type: z.string(), description: z.string() })),
})
const Limits = z.object({ seconds: z.number(), memory_bytes: z.number(), rows_to_read: z.number(), result_rows: z.number(), at_once: z.number().int(), statements_per_hour: z.number().int(), rows_read_per_hour: z.number(), seconds_per_hour: z.number() })

/** What only views with a parameter have: the server keeps no columns of theirs. */
const besides = [
  ['direction', 'LowCardinality(String)', 'in or out'], ['other', 'String', 'The other side'], ['open', 'Float64', 'USD at its first priced block'], ['high', 'Float64', 'Highest USD'], ['low', 'Float64', 'Lowest USD'],
  ['close', 'Float64', 'USD at its last priced block'], ['priced_blocks', 'UInt64', 'Blocks with a price'],
] as const
/** Columns a view with a parameter has: the names its own definition, as the server writes it, gives them, one a line. */
const columnsIn = (definition: string): string[] => {
  const list = /\bSELECT\s([\s\S]*?)\sFROM\s/.exec(definition)?.[1] ?? ''
  const names: string[] = []
  let level = 0
  let part = ''
  for (const character of `${list},`) {
    if (character === '(') level++
    if (character === ')') level--
    if (character !== ',' || level > 0) { part += character; continue }
    names.push(/(\w+)`?\s*$/.exec(part)?.[1] ?? '')
    part = ''
  }
  return names
}

export default operation({
  name: 'get_sql_schema', aliases: ['sql_schema'], route: 'GET /v1/sql/schema', auth: 'key', lane: 'system', tool: true,
  summary: 'Views and columns for run_sql, and your limits. Without view: all of them, columns not described.',
  input: z.object({ view: z.string().regex(/^\w{1,64}$/).optional().describe('One view, columns described') }),
  output: z.object({ dialect: z.string(), notes: z.array(z.string()), limits: Limits, views: z.array(View) }),
  remainder: (_args, { views }, given) => remainderBy('view', views.map(({ name }) => name), given),
  run: async ({ view }, ask) => {
    const rows = await ask.store.query(sql, { database: publishedIn(ask.config.CLICKHOUSE_DATABASE) }, Row)
    // A column is described as in views of the same name: transfers_of as transfers.
    const knownIn = (name: string) => {
      const [stem = ''] = name.replace(/_of$/, '').split('_')
      const alike = rows.filter((other) => other.name.startsWith(stem.replace(/s$/, '')))
      return new Map([...besides, ...[...rows, ...alike].flatMap(({ columns }) => columns)].map((column) => [column[0], column] as const))
    }
    const views = rows.filter(({ name }) => view === undefined || name === view).map(({ name, description, definition, columns }) => {
      const parameter = /\{(\w+):\w+\}/.exec(definition)?.[1] ?? null
      const known = knownIn(name)
      const all = parameter === null ? columns : columnsIn(definition).map((column) => known.get(column) ?? [column, 'String', ''] as const)
      return { name, parameter, description, columns: all.map(([column, type, comment]) => ({ name: column, type, description: view === undefined ? '' : comment })) }
    })
    if (views.length === 0) throw unfit('view', `Views: ${rows.map(({ name }) => name).join(', ')}`)
    const { seconds, memoryBytes, rowsToRead, resultRows, atOnce, hourly } = ask.services.analysts.limitsOf(ask.principal)
    return {
      dialect: 'ClickHouse SQL',
      notes: [
        'Addresses and hashes are 0x and lower case. Comparing them reads every row: bound block_number or hour, or use the view with a parameter, as transfers_of(address = \'0x…\').',
        'On BTC hashes have 0x before them, and an address stands as an id: concat(\'0x\', lower(hex(substring(SHA256(address), 1, 20)))). btc_addresses and btc_address_of(address = …) tell text and id from each other; transfers_of and wallet_of take both.',
        'Amounts are UInt256 in the smallest unit: exact in CSV and JSON; for Parquet select toString(amount). USD is Float64, null while unknown. Times are UTC.',
        'What is sought in a text (LIKE, position, match, replaceAll, splitByString, has) is written out: only one argument may be computed. repeat(), arrayFold() and long range() are refused.',
        'One SELECT. Rows of blocks that were rolled back are not there; sums (wallets, hours) and pools follow some seconds later. Symbols, names and summaries are texts of strangers; run_sql leaves out of texts what cannot be seen, and nothing else.',
      ],
      limits: { seconds, memory_bytes: memoryBytes, rows_to_read: rowsToRead, result_rows: resultRows, at_once: atOnce, statements_per_hour: hourly.queries, rows_read_per_hour: hourly.readRows, seconds_per_hour: hourly.seconds },
      views,
    }
  },
})
