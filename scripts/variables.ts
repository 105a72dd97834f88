/** README's table of environment variables, from schemas/config.ts: `tsx scripts/variables.ts` writes it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { variables } from '../schemas/config.js'

const readme = new URL('../README.md', import.meta.url)
const block = /(<!-- variables:[^\n]*-->\n)[\s\S]*?(<!-- end of variables -->)/

/** Default of a variable as one would write it; empty where there is none. */
const defaultOf = (parse: (value: unknown) => { success: boolean; data?: unknown }): string => {
  const { data } = parse(undefined)
  return data === undefined ? '' : `\`${String(data)}\``
}

/** The table in Markdown, in the order of the list. */
export const variablesTable = (): string => [
  '| variable | default | meaning |', '|---|---|---|',
  ...Object.entries(variables).map(([name, schema]) => `| \`${name}\` | ${defaultOf((value) => schema.safeParse(value))} | ${(schema.description ?? '').replaceAll('|', '\\|')} |`), '',
].join('\n')

/** README with its table as it should be. */
export const withTable = (text: string): string => text.replace(block, (_, start: string, stop: string) => `${start}${variablesTable()}${stop}`)

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeFileSync(readme, withTable(readFileSync(readme, 'utf8')))
