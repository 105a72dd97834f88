import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { calls } from '../../api/documents/calls.js'
import { recordedPath, type Recorded } from '../../api/documents/recorded.js'
import { operations } from '../../api/registry.js'
import { isWaiting } from '../../api/supply.js'
import { startReplayNode, type ReplayNode } from '../../scripts/replay-node/server.js'
import { session } from '../mcp/support/client.js'
import { loadBundledLists } from '../../stages/enrich/registers/sanctions/loadLists.js'
import { runClusters } from '../../stages/clusters/runClusters.js'
import { jsonAnswer, recordedJson } from '../support/bitcoin.js'
import { passBitcoin } from './support/bitcoin.js'
import { fillRecorded } from './support/recorded.js'
import { replay } from './support/replayed.js'
import { startService, type Service } from './support/service.js'
import { ending } from '../support/endings.js'

const heights = [18_000_000, 19_426_586, 19_426_587]

/** Questions that recorded blocks do not answer. */
const unrecorded: Readonly<Record<string, readonly string[]>> = {
  'about the process that answers': ['get_health', 'get_pipeline_status', 'list_queues', 'list_dead_letters', 'list_logs'],
  'about the caller': ['get_identity', 'list_watch_alerts'],
  'about a thing of one installation: refused where there is none': ['verify_report', 'get_agent_identity'],
  'about the last hours of the perps venue, which nobody can have recorded': ['get_hl_recent', 'get_hl_pulse', 'get_hl_funding', 'get_hl_depth', 'get_hl_flow_history', 'get_hl_signals', 'get_hl_signal_log', 'get_hl_strategies', 'get_hl_alpha', 'get_hl_alerts'],
  'about traders of the perps venue, who are judged by weeks of what was heard': ['get_hl_traders', 'get_hl_styled_traders', 'get_hl_trader', 'get_hl_positions', 'get_hl_copytrade', 'get_hl_suspects', 'get_hl_insider_trades'],
  'about state, which recorded blocks do not hold': ['get_balance', 'get_nonce', 'get_code', 'get_storage_at', 'call_contract', 'get_fee_history'],
}

describe('the recorded calls', () => {
  let service: Service
  let node: ReplayNode
  let headers: Record<string, string>
  before(async function () {
    this.timeout(180_000)
    node = await startReplayNode({})
    service = await startService({ ETH_RPC_URL: node.url })
    await fillRecorded(service.store, heights)
    await passBitcoin(service.store, jsonAnswer(277_647, recordedJson(277_647) ?? ''), 1_000)
    while (await runClusters(service.store, 'BTC', { memory: null }) !== null);
    await loadBundledLists(service.store)
    headers = await session(`${service.api.url}/mcp`, service.agentKey)
  })
  after(ending(() => service, () => node))

  it('are answered as they were (UPDATE_GOLDEN=1 records them anew)', async function () {
    this.timeout(120_000)
    const now = []
    for (const call of calls) now.push(await replay(call, service, headers))
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(recordedPath, `${JSON.stringify({ from: `Ethereum mainnet blocks ${heights.join(', ')}, with the bundled labels, token lists and sanctions lists`, calls: now }, null, 1)}\n`)
    assert.ok(existsSync(recordedPath), 'nothing is recorded: run with UPDATE_GOLDEN=1')
    const { calls: before } = JSON.parse(readFileSync(recordedPath, 'utf8')) as Recorded
    assert.deepEqual(now.map(({ operation }) => operation), before.map(({ operation }) => operation))
    for (const [index, one] of now.entries()) assert.deepEqual(one, before[index], one.operation)
  })

  it('are of every question that can be recorded', () => {
    const names = new Set(calls.map(({ operation }) => operation))
    const exceptions = Object.values(unrecorded).flat()
    const missing = operations.filter((operation) => operation.tool && operation.writes !== true && !isWaiting(operation) && !names.has(operation.name) && !exceptions.includes(operation.name))
    assert.deepEqual(missing.map(({ name }) => name), [], 'add them to api/documents/calls.ts and record anew')
    assert.deepEqual(exceptions.filter((name) => names.has(name) || !operations.some((operation) => operation.name === name)), [])
  })

  it('show rows: two of three at least', () => {
    const { calls: kept } = JSON.parse(readFileSync(recordedPath, 'utf8')) as Recorded
    const empty = kept.filter(({ answer }) => (Array.isArray(answer) ? answer.length === 0 : (answer as { _meta?: { empty?: unknown } })._meta?.empty !== undefined))
    assert.ok(empty.length <= kept.length / 3, empty.map(({ operation }) => operation).join(', '))
  })
})
