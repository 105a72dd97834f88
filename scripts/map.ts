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
/** What is cut out of a table as rows pass into it: targets of materialized views, by their source. */
const passing = new Map<string, string[]>()
for (const { statements } of listMigrations()) {
  for (const statement of statements) {
    const [, target, source] = /^\s*CREATE MATERIALIZED VIEW IF NOT EXISTS \w+ TO (\w+) AS[\s\S]*?\bFROM (\w+)/i.exec(statement) ?? []
    if (target !== undefined && source !== undefined) passing.set(source, [...passing.get(source) ?? [], target])
  }
}
const line = ({ name, reads, writes }: SqlFile): string => `    ${name.padEnd(24)} ${reads.join(', ') || '-'} → ${[writes || '-', ...[passing.get(writes) ?? []].map((targets) => targets.join(', ')).filter((text) => text !== '')].join(' → ')}`

/** The text of the map. */
export const drawMap = (): string => {
  const tables = listMigrations().flatMap(({ id, statements }) => statements.flatMap((statement) => {
    const [, kind, name] = /^CREATE (TABLE|VIEW|MATERIALIZED VIEW|DICTIONARY) (?:IF NOT EXISTS )?(\w+)/i.exec(statement.replace(/^\s*(--[^\n]*\n\s*)*/, '')) ?? []
    return name === undefined ? [] : [`  ${name.padEnd(26)} ${(kind ?? '').toLowerCase().padEnd(18)} ${id}`]
  }))
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
