/** `.sql` files: one idea a file, its contract in the comment it opens with, parameters as `{name:Type}` and never spliced. */
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface SqlFile {
  /** File name without `.sql`: the name of the statement in logs, metrics and insert tokens. */
  readonly name: string
  readonly path: string
  readonly text: string
  /** The table an INSERT writes; '' for a SELECT. */
  readonly writes: string
  /** Tables and views named after FROM, JOIN and ALTER TABLE, for `npm run map`. */
  readonly reads: readonly string[]
}

/** Reads the statement `file` beside the module at `moduleUrl` and refuses one without a contract. `without`: leaves out the lines that end in one of these comments. */
export const loadSql = (moduleUrl: string, file: string, ...without: readonly string[]): SqlFile => {
  const path = join(dirname(fileURLToPath(moduleUrl)), file)
  const whole = readFileSync(path, 'utf8')
  if (!whole.startsWith('--')) throw new Error(`${path} has no contract: it must open with a comment`)
  const text = without.length === 0 ? whole : whole.split('\n').filter((line) => !without.some((one) => line.endsWith(`-- ${one}`))).join('\n')
  const body = text.replace(/--[^\n]*/g, '')
  const writes = /INSERT\s+INTO\s+(\w+)/i.exec(body)?.[1] ?? ''
  const defined = new Set([...body.matchAll(/(\w+)\s+AS\s*(?:MATERIALIZED\s*)?\(\s*SELECT/gi)].map((match) => match[1]))
  // FROM that names no table: of a comparison, and of what is cut off a text.
  const named = [...body.replace(/\bDISTINCT FROM\b|\bBOTH '[^']*' FROM\b/gi, '').matchAll(/(?<![.`])\b(?:FROM|(?<!ARRAY\s)JOIN|ALTER\s+TABLE)\s+(\w+)/gi)].map((match) => match[1] ?? '')
  const reads = [...new Set(named)].filter((name) => !defined.has(name) && !/^(numbers|system|input|format)$/i.test(name) && name !== '')
  return { name: basename(path, '.sql'), path, text, writes, reads }
}
