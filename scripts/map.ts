/** `npm run map`: chains, stages with what each statement reads and writes, tables and operations, from the registries. */
import { pathToFileURL } from 'node:url'
import { operations } from '../api/registry.js'
import { chains } from '../schemas/chains.js'
import { command, parseOptions } from '../schemas/command.js'
import { listMigrations } from '../schemas/migrations.js'
import { loadSql, type SqlFile } from '../schemas/sql.js'
import { normalizers } from '../stages/chains.js'
import { chainLists } from '../stages/lists.js'
import { pipeline } from '../stages/pipeline.js'
import type { Statements } from '../stages/stage.js'

const landOf = (folder: string) => loadSql(new URL(`../stages/ingest/${folder}/land.ts`, import.meta.url).href, 'land.sql')
interface Made { readonly kind: string; readonly migration: string; readonly statement: string }
/** Tables and views as the migrations leave them, by name: what one drops is gone, and stands where it was made again. */
const made = new Map<string, Made>()
for (const { id, statements } of listMigrations()) {
  for (const statement of statements) {
    const [, verb, kind, name] = /^(CREATE|DROP)(?: OR REPLACE)? (TABLE|VIEW|MATERIALIZED VIEW|DICTIONARY) (?:IF (?:NOT )?EXISTS )?(\w+)(?![\w.{])/i.exec(statement) ?? []
    if (name === undefined || kind === undefined) continue
    made.delete(name)
    if (verb === 'CREATE') made.set(name, { kind: kind.toLowerCase(), migration: id, statement })
  }
}
/** What is cut out of a table as rows pass into it: targets of materialized views, by their source. */
const passing = new Map<string, Set<string>>()
for (const { statement } of made.values()) {
  const [, target, body] = /^CREATE MATERIALIZED VIEW IF NOT EXISTS \w+ TO (\w+) AS([\s\S]*)/i.exec(statement) ?? []
  // FROM stands within functions, too.
  const source = [...body?.matchAll(/\bFROM (\w+)/gi) ?? []].map(([, name = '']) => name).find((name) => made.has(name))
  if (target !== undefined && source !== undefined) passing.set(source, (passing.get(source) ?? new Set<string>()).add(target))
}
const line = ({ name, reads, writes }: SqlFile): string => `    ${name.padEnd(24)} ${reads.join(', ') || '-'} → ${[writes || '-', ...[[...passing.get(writes) ?? []].join(', ')].filter((text) => text !== '')].join(' → ')}`

/** The text of the map. */
export const drawMap = (): string => {
  const tables = [...made].map(([name, { kind, migration }]) => `  ${name.padEnd(26)} ${kind.padEnd(18)} ${migration}`)
  const stages = pipeline.flatMap(({ name, ordered, concurrency, attempts }) => {
    const statements: Readonly<Record<string, Statements>> = name === 'ingest' ? { ETH: [[landOf('ethereum')]], BTC: [[landOf('bitcoin')]], HL: [[landOf('hyperliquid')]] } : name === 'normalize' ? normalizers : Object.fromEntries(Object.entries(chainLists).map(([chain, lists]) => [chain, lists[name]]))
    return [
      `  ${name} (${ordered ? 'in order of blocks, ' : ''}${concurrency} at once, ${attempts} attempts)`,
      ...Object.entries(statements).flatMap(([chain, groups]) => [`   ${chain}:`, ...groups.flat().map(line)]),
    ]
  })
  return [
    'Chains', ...chains.map((chain) => `  ${chain.id.padEnd(6)} ${chain.name.padEnd(18)} ${chain.status.padEnd(11)} finality ${chain.finality ?? '-'}`),
    '', 'Stages (reads → writes)', ...stages,
    '', 'Tables and views', ...tables,
    '', `Operations (${operations.length})`, ...operations.map(({ name, route, auth, role, lane }) => `  ${name.padEnd(28)} ${route.padEnd(48)} ${(role ?? auth).padEnd(9)} ${lane}`),
    '',
  ].join('\n')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await command(async () => {
    parseOptions('npm run map', {})
    process.stdout.write(drawMap())
    return Promise.resolve(0)
  })
}
