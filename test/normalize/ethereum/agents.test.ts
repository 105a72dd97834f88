/** Events of the ERC-8004 registries, encoded by viem from the interfaces, as rows and as the agents they leave behind. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Hex } from 'viem'
import { freshStore } from '../../support/servers.js'
import { insertAnswers } from '../../support/raw.js'
import type { Store } from '../../../schemas/clickhouse.js'
import { findChain } from '../../../schemas/chains.js'
import { stateDigest } from '../../../stages/digest/digest.js'
import { normalizeEthereum } from '../../../stages/normalize/ethereum/statements.js'
import { applyRollback } from '../../../stages/rollback.js'
import { countsOf, type ChainModule } from '../../../stages/stage.js'
import { address, madeUpBlock, type MadeLog } from './madeUp.js'
import { agentsUri, feedback, identity, metadata, moved, registered, reputation, revoked, uriUpdated, answered } from './agentLogs.js'
import { normalize } from './normalized.js'

const [ada, bob, client] = ['a1', 'b2', 'c3'].map(address) as [Hex, Hex, Hex]
const Row = z.object({ agent_id: z.string(), kind: z.string(), account: z.string(), uri: z.string(), uri_size: z.number(), key: z.string(), value: z.string(), feedback_index: z.string(), feedback_value: z.string(), feedback_decimals: z.number() })
const Agent = z.object({ agent_id: z.string(), owner: z.string(), wallet: z.string(), uri: z.string(), feedback: z.coerce.number(), feedback_revoked: z.coerce.number(), clients: z.coerce.number(), registered_at: z.string().nullable() })

describe('agents of the ERC-8004 registries', () => {
  let store: Store
  const rows = (height: number) => store.query(`SELECT toString(agent_id) AS agent_id, toString(kind) AS kind, lower(hex(account)) AS account, uri, uri_size, key, lower(hex(value)) AS value, toString(feedback_index) AS feedback_index,
    toString(feedback_value) AS feedback_value, feedback_decimals FROM agent_events WHERE block_number = {height:UInt64} ORDER BY log_index`, { height }, Row)
  const agents = () => store.query(`SELECT toString(a.agent_id) AS agent_id, lower(hex(a.owner)) AS owner, lower(hex(a.wallet)) AS wallet, uri, feedback, feedback_revoked, clients, registered_at FROM agents AS a ORDER BY agent_id`, {}, Agent)
  const put = async (height: number, logs: readonly MadeLog[], generation = 1): Promise<void> => { await insertAnswers(store, madeUpBlock(height, logs), generation); await normalize(store, height, height, generation) }
  const counted = async (height: number) => (await countsOf(normalizeEthereum.flat().find(({ name }) => name === 'agent_events')?.only?.asks ?? assert.fail('agent_events runs always'), { chain: 'ETH', from: height, to: height, generation: 1 }, store))['agents']
  before(async function () { this.timeout(60_000); store = (await freshStore()).store })

  it('are decoded: registration, wallet, URI, transfer, feedback, its end, an answer', async () => {
    await put(1_000, [
      moved(address('00'), ada, 7n), registered(7n, agentsUri, ada), metadata(7n, 'agentWallet', ada), metadata(7n, 'note', '0x'), uriUpdated(7n, 'ipfs://x', ada), moved(ada, bob, 7n), metadata(7n, 'agentWallet', '0x'),
      feedback(7n, client, 1n, -95n, 2), feedback(7n, client, 2n, 2n ** 100n, 0), revoked(7n, client, 1n), answered(7n, client, 2n, bob),
    ])
    assert.equal(await counted(1_000), 11)
    const seen = await rows(1_000)
    assert.deepEqual(seen.map(({ kind }) => kind), ['transfer', 'registered', 'metadata', 'metadata', 'uri', 'transfer', 'metadata', 'feedback', 'feedback', 'feedback_revoked', 'response'])
    assert.ok(seen.every(({ agent_id: id }) => id === '7'))
    assert.deepEqual([seen[1]?.uri, seen[1]?.uri_size, seen[1]?.account], [agentsUri, agentsUri.length, 'a1'.repeat(20)])
    assert.deepEqual([seen[2]?.key, seen[2]?.value, seen[6]?.value], ['agentWallet', 'a1'.repeat(20), ''])
    assert.deepEqual([seen[7]?.feedback_value, seen[7]?.feedback_decimals, seen[7]?.feedback_index, seen[7]?.key, seen[7]?.uri, seen[7]?.account], ['-95', 2, '1', 'starred', 'https://feedback.example/1', 'c3'.repeat(20)])
    assert.deepEqual([seen[8]?.feedback_value, seen[9]?.feedback_index, seen[10]?.uri], [String(2n ** 100n), '1', 'https://answer.example/'])
    const [agent] = await agents()
    assert.deepEqual([agent?.owner, agent?.wallet, agent?.uri, agent?.feedback, agent?.feedback_revoked, agent?.clients], ['b2'.repeat(20), '', 'ipfs://x', 2, 1, 1])
  })

  it('are nobody\'s who only looks like a registry, and nothing where the bytes do not fit', async () => {
    const strange = { ...registered(8n, agentsUri, ada), address: address('77') }
    const swapped = { ...feedback(8n, client, 1n, 1n, 0), address: identity }
    const whole = registered(9n, agentsUri, ada)
    const cut = { ...whole, data: whole.data.slice(0, whole.data.length - 64) }
    const absurd = { ...whole, data: `0x${'ff'.repeat(32)}${'00'.repeat(64)}` }
    const huge = { ...whole, data: `0x${'00'.repeat(31)}20${'ff'.repeat(32)}${'00'.repeat(32)}` }
    const empty = { ...whole, data: '0x' }
    await put(1_001, [strange, swapped, cut, absurd, huge, empty])
    assert.deepEqual(await rows(1_001), [])
    await put(1_002, [strange])
    assert.equal(await counted(1_002), 0)
    const long = 'x'.repeat(20_000)
    await put(1_003, [registered(10n, long, ada), registered(11n, '\u0000\u202e<script>', ada)])
    const [first, second] = await rows(1_003)
    assert.deepEqual([first?.uri.length, first?.uri_size, second?.uri], [16_384, 20_000, '\u0000\u202e<script>'])
  })

  it('go with the blocks that are rolled back, and the digest tells', async () => {
    const before = await stateDigest(store, 'ETH', 2_000)
    await put(1_500, [registered(50n, 'https://gone.example', ada), uriUpdated(7n, 'https://gone.example', bob)])
    assert.equal((await agents()).find(({ agent_id: id }) => id === '7')?.uri, 'https://gone.example')
    assert.notEqual((await stateDigest(store, 'ETH', 2_000)).digest, before.digest)
    const chain = findChain('ETH')
    assert.ok(chain !== undefined)
    await applyRollback(store, { chain } as ChainModule, { seq: 1, from_block: 1_500, generation: 2 })
    const left = await agents()
    assert.deepEqual([left.find(({ agent_id: id }) => id === '50'), left.find(({ agent_id: id }) => id === '7')?.uri], [undefined, 'ipfs://x'])
    assert.equal((await stateDigest(store, 'ETH', 2_000)).digest, before.digest)
    assert.equal(reputation.length, 42)
  })
})
