/** What the texts claim is what there is: made-up chain tables change them, and what is marked as waiting answers a gap. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { instructionsOf } from '../../api/mcp/instructions.js'
import { hasReading, records, type RecordName } from '../../api/readings.js'
import { operations } from '../../api/registry.js'
import { isWaiting, supply, supplyOf } from '../../api/supply.js'
import { chains } from '../../schemas/chains.js'
import { root } from '../support/run.js'
import { bodies, filled, requiredQuery } from './support/examples.js'
import { startService, type Service } from './support/service.js'

const grown = chains.map((chain) => (chain.id === 'BTC' ? { ...chain, status: 'live' as const } : chain))
const sources = (folder: string): string[] => readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
  .filter((file) => file.isFile() && /\.(ts|sql)$/.test(file.name)).map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'))

describe('what the texts claim', () => {
  it('follows the chain table and the readings', () => {
    const bare = supplyOf(chains.map((chain) => ({ ...chain, status: 'pending' as const })), () => false)
    assert.deepEqual([bare.indexed, bare.about], [[], 'no chain yet'])
    assert.deepEqual(supplyOf(grown, () => false).indexed, ['ETH', 'BTC'])
    const part = supplyOf(grown, (record) => record === 'hl_funding')
    assert.deepEqual([part.about, part.subjects.endsWith(', perps'), part.gap.startsWith('No data yet: Polygon and sanctions registers.')], ['Ethereum, Bitcoin and the Hyperliquid perps venue', true, true])
    const whole = supplyOf(grown.filter(({ id }) => id !== 'MATIC'), () => true)
    assert.deepEqual([whole.gap, whole.subjects.includes('sanctions')], ['', true])
    assert.ok(!instructionsOf(whole).includes('No data yet') && instructionsOf(part).split('\n')[0]?.includes('Bitcoin') === true)
    for (const id of ['ARB', 'SOL', 'ALL']) assert.ok(!supply.indexed.includes(id) && !supply.awaited.includes(id))
  })

  it('counts only what something writes: a record that is read has a writer of its tables, and a table of designations a reading', () => {
    const written = new Set(['stages', 'workers', 'api', 'schemas'].flatMap(sources).flatMap((text) => [...text.matchAll(/(?:INSERT INTO|MATERIALIZED VIEW IF NOT EXISTS \w+ TO) (\w+)|insert(?:Surely)?\('(\w+)'/g)].map(([, sql, call]) => sql ?? call ?? '')))
    assert.ok(written.has('blocks') && written.has('transfers') && written.has('access_keys'))
    for (const name of (Object.keys(records) as RecordName[]).filter(hasReading)) assert.ok(records[name].some((table) => written.has(table)), `${name} is read, but nothing writes ${records[name].join(', ')}`)
    assert.equal(hasReading('designations'), written.has('designations'), 'readings.ts says whether sanctions registers are there')
  })
})

describe('the documents', function () {
  this.timeout(90_000)
  let service: Service
  before(async () => { service = await startService() })
  after(() => service.stop())

  it('say what is indexed and what is not, all of them the same', async () => {
    for (const path of ['/llms.txt', '/llms-full.txt', '/agents.md', '/.well-known/mcp.json', '/openapi.json']) {
      const { text } = await service.call(`GET ${path}`, { key: null })
      assert.ok(text.includes(`from data indexed here: ${supply.about}.`) && text.includes(supply.gap), path)
    }
    const manifest = (await service.call('GET /.well-known/mcp.json', { key: null })).body
    const waiting = operations.filter((operation) => operation.tool && isWaiting(operation)).map(({ name }) => name).sort()
    assert.deepEqual([manifest.chains, [...manifest.waiting_tools].sort()], [{ indexed: supply.indexed, awaited: supply.awaited }, waiting])
    const page = (await service.call('GET /agents.md', { key: null })).text.split('\n')
    for (const { name } of operations.filter(({ tool }) => tool)) assert.equal(page.find((line) => line.startsWith(`- \`${name}\``))?.endsWith('(No data yet.)'), waiting.includes(name), name)
  })

  it('mark as waiting what answers a gap whatever is asked', async () => {
    for (const { name, route } of operations.filter(isWaiting)) {
      const [method, path = ''] = route.split(' ')
      const { status, body, headers } = await service.call(`${method ?? ''} ${filled(path)}${requiredQuery(path, path.endsWith('flow-history') ? ['coin'] : [])}`, bodies[route] === undefined ? {} : { body: bodies[route] })
      assert.equal(status, 200, name)
      assert.equal(headers.get('x-empty-reason') ?? body._meta.empty.empty_reason, 'data_gap', name)
    }
  })
})
