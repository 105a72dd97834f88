import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { drawMap } from '../../scripts/map.js'
import { variablesTable, withTable } from '../../scripts/variables.js'
import { variables } from '../../schemas/config.js'

describe('README and map', () => {
  it('README names every variable as the environment parser does', () => {
    const text = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
    assert.ok(text.includes(variablesTable()), 'run: npx tsx scripts/variables.ts')
    assert.equal(withTable(text), text)
    for (const name of Object.keys(variables)) assert.ok(variablesTable().includes(`\`${name}\``))
  })

  it('every path README tells to call is an operation', async () => {
    const { operations } = await import('../../api/registry.js')
    const text = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
    const routes = operations.map(({ route }) => new RegExp(`^${route.replace(/\{\w+\}/g, '[^/]+')}$`))
    for (const [, method, path] of text.matchAll(/`(GET|POST) (\/v1\/[^\s`]+)`/g)) assert.ok(routes.some((route) => route.test(`${method} ${path}`)), `${method} ${path}`)
  })

  it('the map shows stages, tables and operations', () => {
    const map = drawMap()
    for (const part of ['ETH', 'raw_payloads', 'GET /health', 'btc_flows']) assert.ok(map.includes(part), part)
    assert.match(map, /transfers {2,}.*→ transfers/)
  })

  it('whatever the map says that a statement reads or writes is a table or a view', () => {
    const [, stages = '', rest = ''] = /\nStages [^\n]*\n([\s\S]*?)\nTables and views\n([\s\S]*?)\nOperations /.exec(drawMap()) ?? []
    const there = new Set([...rest.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name))
    const named = [...stages.matchAll(/^ {4}(\w+) +(.*)$/gm)].flatMap(([, statement, tables = '']) => tables.split(/, | → /).filter((table) => table !== '-').map((table) => ({ statement, table })))
    assert.ok(named.length > 200)
    assert.deepEqual(named.filter(({ table }) => !there.has(table)), [])
  })
})
