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
})
