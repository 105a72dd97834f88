/** Every operation and document has an example of its success in the description, which its own schema holds; a question asked again is answered with the same members. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { documents } from '../../api/documents/list.js'
import { examplesPath, type Examples } from '../../api/documents/examples.js'
import { recorded } from '../../api/documents/recorded.js'
import { describe as describeApi } from '../../api/openapi.js'
import { operations } from '../../api/registry.js'
import { startAnvil, type Anvil } from '../../scripts/simulate/anvil.js'
import { runClusters } from '../../stages/clusters/runClusters.js'
import { loadBundledLists } from '../../stages/enrich/registers/sanctions/loadLists.js'
import { openFeed } from '../../stages/monitor/raiseAlerts.js'
import { jsonAnswer, recordedJson } from '../support/bitcoin.js'
import { ending } from '../support/endings.js'
import { passBitcoin } from './support/bitcoin.js'
import { firstSteps, laterSteps, venueSteps, type Step } from './support/exampleSteps.js'
import { makeVenue, steady } from './support/madeVenue.js'
import { fillRecorded } from './support/recorded.js'
import { check, startService, type Service } from './support/service.js'
import { shortened } from './support/shortened.js'

/** Successes that have no example, and why. */
const without: Readonly<Record<string, string>> = {
  get_report_pdf: 'a file of bytes, which an example in JSON cannot hold',
  remove_watched_address: '204, without a body', delete_watch_list: '204, without a body', delete_webhook: '204, without a body', delete_tag: '204, without a body',
}
const largest = 2_000_000

describe('examples of answers', () => {
  const described = JSON.parse(JSON.stringify(describeApi(operations, 'http://x', documents)))
  const entries = Object.entries<any>(described.paths).flatMap(([path, methods]) => Object.entries<any>(methods).map(([method, entry]) => ({ path, method: method.toUpperCase(), entry })))
  const successes = (entry: any): [string, any][] => Object.entries<any>(entry.responses).filter(([status]) => status.startsWith('2'))
  const shown = (response: any): any[] => Object.values<any>(response.content ?? {}).flatMap(({ examples }) => Object.values(examples ?? {}))

  it('there is one of every success, or a reason why not', () => {
    const lacking = entries.filter(({ entry }) => !successes(entry).some(([, response]) => shown(response).length > 0)).map(({ entry }) => entry.operationId as string)
    assert.deepEqual(lacking.sort(), Object.keys(without).sort())
  })
  it('each is as its schema says', () => {
    for (const { path, method, entry } of entries) for (const [status, response] of successes(entry)) for (const { value } of shown(response)) if (typeof value !== 'string') check(described, method, path, { status: Number(status), body: value, text: '' })
  })
  it('the description stays one that can be read at once', () => { assert.ok(JSON.stringify(described).length < largest, `${JSON.stringify(described).length} characters`) })
  it('hold no secret', () => { assert.doesNotMatch(readFileSync(examplesPath, 'utf8'), /hyd_[0-9A-Za-z]{38}|whsec_[0-9A-Za-z]/) })
})

describe('the questions of the examples', function () {
  this.timeout(300_000)
  let anvil: Anvil, blocks: Service, market: Service
  const seen: Record<string, any> = {}
  const now: Examples['answers'] = []
  const keys: Record<string, string | null> = {}

  const ask = async ({ of, at, as, target, body }: Step): Promise<void> => {
    const { status, body: answer, text } = await (at === 'venue' ? market : blocks).call(target(seen), { key: as === null ? null : keys[as] ?? null, ...(body === undefined ? {} : { body: body(seen) }) })
    assert.ok(status === 200 || status === 201, `${of}: ${status} ${text}`)
    seen[of] = answer ?? text
    now.push({ of, summary: at === 'venue' ? 'Of a market made by hand; lists show two rows' : 'Lists show two rows', value: shortened(seen[of]) })
  }
  before(async () => {
    anvil = await startAnvil()
    await anvil.mine(3)
    blocks = await startService({ ETH_RPC_URL: anvil.url, ETH_CHAIN_ID: '31337', GIT_COMMIT: '0'.repeat(40) })
    market = await startService()
    const issue = async (tier: string) => (await blocks.api.parts.services.keys.issue({ name: tier, role: 'agent', tier, rate_limit: 600, daily_cap: 1_000_000, scopes: ['read'], source_ip: '' })).key
    Object.assign(keys, { agent: blocks.agentKey, admin: blocks.adminKey, pro: await issue('pro'), compliance: await issue('compliance'), instant: (await blocks.call('POST /v1/keys', { key: null })).body.api_key })
    for (const step of firstSteps) await ask(step)
    await fillRecorded(blocks.store, [18_000_000, 19_426_586, 19_426_587])
    await blocks.store.insert('logs_service', [{ at: new Date().toISOString(), level: 'info', service: 'workers', message: 'batch landed', trace_id: '', stage: 'index', chain: 'ETH', batch: '19426586-19426587', metadata: '' }])
    await openFeed(blocks.store).movements('ETH')
    await passBitcoin(blocks.store, jsonAnswer(277_647, recordedJson(277_647) ?? ''), 1_000)
    while (await runClusters(blocks.store, 'BTC', { memory: null }) !== null);
    await loadBundledLists(blocks.store)
    await makeVenue(market.store)
  })
  after(ending(() => blocks, () => market, () => anvil))

  it('are answered with the same members (UPDATE_GOLDEN=1 records them anew)', async () => {
    const [{ tx_hash: bitcoin }] = (await blocks.call('GET /v1/feed/btc/recent?min_btc=0&limit=1')).body
    for (const step of [...laterSteps(bitcoin), ...venueSteps(steady)]) await ask(step)
    for (const { name, path, type, part } of documents) {
      if (part === true) continue
      const text = await (await fetch(blocks.api.url + path)).text()
      now.push({ of: name, summary: 'Its beginning', value: type.startsWith('application/json') ? shortened(JSON.parse(text), true) : shortened(text) })
    }
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(examplesPath, `${JSON.stringify({ note: 'Answers of a test, shortened: secrets, cursors and times of the moment are left out', answers: now }, null, 1)}\n`)
    assert.ok(existsSync(examplesPath))
    const { answers: kept } = JSON.parse(readFileSync(examplesPath, 'utf8')) as Examples
    const members = ({ of, value }: Examples['answers'][number]) => [of, typeof value === 'object' && value !== null ? Object.keys(value).sort() : typeof value]
    assert.deepEqual(now.map(members), kept.map(members))
    assert.deepEqual(kept.filter(({ of }) => recorded().calls.some(({ operation }) => operation === of)).map(({ of }) => of), [], 'recorded.json has them')
  })
})
