/** Every list comes in pages that neither repeat nor miss a row, also while blocks arrive; a cursor of another list, another question or nobody is refused. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { makeCursors } from '../../api/cursors.js'
import { operations } from '../../api/registry.js'
import { hasReading } from '../../api/readings.js'
import { message, post, session } from '../mcp/support/client.js'
import { fillRecorded } from './support/recorded.js'
import { startService, type Service } from './support/service.js'

/** Lists within an answer that need no cursor, and why. */
const whole: Readonly<Record<string, string>> = {
  get_health: 'chains and stages', get_health_v1: 'chains and stages', get_meta: 'chains and stages', get_overview: 'chains and stages', get_chains: 'chains', get_trust: 'chains and registers', list_queues: 'stages', get_pipeline_status: 'stages',
  get_mcp_fixtures: 'a fixed recording', get_mcp_tools: 'the registry', list_tiers: 'the tiers', get_index_stats: 'topics', get_verification: 'fixed steps', check_report: 'the checks of one report', verify_report: 'the checks of one report, and a path as long as its tree is high',
  create_key: 'scopes of a key', create_named_key: 'scopes of a key', attach_key: 'scopes of a key', exchange_key: 'scopes of a key', revoke_key: 'scopes of a key', get_identity: 'scopes of a key',
  list_watch_lists: 'a key has at most 20', create_watch_list: 'one warning at most', add_watched_addresses: 'one warning at most', list_webhooks: 'a key has at most 10', create_webhook: 'watch lists of one webhook', rotate_webhook_secret: 'watch lists of one webhook', resume_webhook: 'watch lists of one webhook',
  get_feed_block: 'one block, which offset goes on in', list_hops: 'one transaction, which offset goes on in', get_receipt: 'one transaction, in whose logs offset goes on', get_fee_history: 'as many blocks as were asked for', get_gas: 'as many hours as were asked for',
  list_stablecoins: 'the stablecoins of the registers', get_market: 'the five largest of each, whose own operations have pages',
  get_wallet: 'the 50 and the ten largest, by its nature', get_wallet_all_chains: 'chains and labels of one address',
  get_wallet_compliance: 'what registers and the sample of movements say of one address', get_public_alarm: 'chains, and the incidents that are open', get_token: 'the largest pools of one token, by its nature',
  list_label_rules: 'the rules, a fixed catalogue', get_labels: 'statements about one address',
  screen_addresses: 'as many as were asked about', screen_address: 'listings of one address, and the registers', screen_abuse: 'reports on one address, which offset goes on in, and the lists that were asked',
  get_mev: 'one find, or those of one transaction, which gas bounds',
  get_mixer_use: 'what one address did with mixers, the 200 it used most, and up to 100 leads',
  get_sql_schema: 'the views, a fixed catalogue', run_sql: 'a statement has no order but its own: offset goes on in it', export_sql: 'a stream of all rows',
  get_btc_tx_links: 'one transaction, and up to 25 hops from it',
  get_hl_funding: 'the coins of the venue', get_hl_depth: 'as many coins as were asked for', get_hl_flow_history: 'as many buckets as were asked for', get_hl_pulse: 'the ten busiest, by its nature',
  get_hl_strategies: 'the versions of the rules', get_hl_alpha: 'the coins of the venue, and the versions of the rules',
  get_hl_positions: 'the largest, by its nature',
  get_hl_copytrade: 'the fifty fittest, by its nature', get_hl_suspects: 'the most suspected, by its nature',
  ask_blockchain: 'the best evidence, by its nature',
}

/** Paths of the lists in an answer; those within a row are part of the row. */
const listsOf = (schema: any, path = ''): string[] => schema?.type === 'array' ? [path]
  : [...Object.entries<any>(schema?.properties ?? {}).flatMap(([name, one]) => (['coverage_status', '_meta', 'indexed'].includes(name) ? [] : listsOf(one, `${path}.${name}`))), ...(schema?.anyOf ?? []).flatMap((one: any) => listsOf(one, path))]

describe('lists', () => {
  for (const one of operations) {
    const schema: any = z.toJSONSchema(one.output, { io: 'output', unrepresentable: 'any' })
    const lists = listsOf(schema)
    if (lists.length === 0) continue
    it(`${one.name} has pages, or need not`, () => {
      const inputs = one.input.shape
      const excused = Object.hasOwn(whole, one.name) || (one.record !== undefined && !hasReading(one.record))
      if (!('cursor' in inputs)) { assert.ok(excused, `${lists.join(' ')}: no cursor`); return }
      assert.ok(!Object.hasOwn(whole, one.name), 'it has a cursor: take it off the list')
      if (schema.type === 'object') assert.ok('next_cursor' in schema.properties && 'has_more' in schema.properties)
      assert.ok('limit' in inputs)
    })
  }
  it('say why they are empty, or never are', () => {
    /** Never empty, or where emptiness is the good news that another member tells. */
    const never = ['get_chains', 'get_trust', 'get_public_alarm', 'list_queues', 'list_tiers', 'screen_addresses', 'get_mcp_tools', 'get_fee_history', 'count_waitlist']
    const silent = operations.filter((one) => one.writes !== true && one.output instanceof z.ZodObject && ('count' in one.output.shape || 'next_cursor' in one.output.shape) && one.rows === undefined && one.counts === undefined && !never.includes(one.name))
    assert.deepEqual(silent.map(({ name }) => name), [])
    assert.deepEqual(operations.filter(({ rows, sources }) => rows !== undefined && sources === undefined).map(({ name }) => name), [], 'the class goes into _meta, which sources make')
  })
  it('the reasons are of operations that are there', () => { assert.deepEqual(Object.keys(whole).filter((name) => !operations.some((one) => one.name === name)), []) })
})

/** Path, the member that holds the rows ('': the answer itself), what tells a row from others, the largest limit. */
const paged: readonly (readonly [string, string, (row: any) => unknown, number])[] = [
  ['/v1/dashboard/txs?', 'txs', (row) => row, 500], ['/v1/dashboard/intents?', 'intents', (row) => row, 200], ['/v1/dashboard/whale-txs?', 'items', (row) => row, 500], ['/v1/dashboard/logs?', 'logs', (row) => row, 1_000],
  ['/v1/dashboard/alerts?', 'alerts', (row) => row, 200], ['/v1/dashboard/incidents?', 'incidents', (row) => row, 100], ['/v1/dashboard/swap-pairs?minutes=1440&', 'pairs', (row) => row, 50],
  ['/v1/feed/swaps/recent?min_usd=0&', 'swaps', (row) => row, 50], ['/v1/feed/trending?hours=24&', 'tokens', (row) => row, 50], ['/v1/entity/list?', 'entities', (row) => row.name, 500],
  ['/v1/mev/searchers?days=90&confidence=low&', 'searchers', (row) => row, 100],
  ['/v1/wallets/top/ETH?', '', (row) => row, 100], ['/v1/wallets?', '', (row) => row, 100], ['/v1/wallets?label=bina&', '', (row) => row, 100], ['/v1/wallets/flow-explorer?', '', (row) => row, 100],
]
const secret = 'a secret of this test'
interface Walk { rows: unknown[]; next: string | null }

describe('pages of recorded blocks', function () {
  this.timeout(240_000)
  let service: Service
  before(async () => {
    service = await startService({ CURSOR_SECRET: secret })
    await fillRecorded(service.store, [12914944, 17034869, 22431083])
    // The service's log forgets what is older than two weeks.
    const began = Date.now() - 60_000
    const at = (second: number): string => new Date(began + 1_000 * second).toISOString()
    await service.store.insert('logs_service', Array.from({ length: 11 }, (_, index) => ({ at: at(index >> 1), level: 'info', service: 's', message: `m${index}`, trace_id: '', stage: '', chain: '', batch: '', metadata: '' })))
    await service.store.insert('incidents', Array.from({ length: 8 }, (_, index) => ({ id: `i${index}`, chain: 'ETH', kind: 'reorg', severity: 'low', summary: 's', detail: '', opened_at: at(index >> 1), closed_at: null, at: at(index) })))
  })
  after(() => service.stop())

  const turn = async (path: string, member: string, limit: number, next: string | null): Promise<Walk> => {
    const { status, body, headers, text } = await service.call(`GET ${path}limit=${limit}${next === null ? '' : `&cursor=${next}`}`)
    assert.equal(status, 200, `${path} ${text}`)
    const cursor = member === '' ? headers.get('x-next-cursor') : body.next_cursor
    assert.equal(member === '' ? headers.get('x-has-more') === 'true' : body.has_more, cursor !== null, path)
    return { rows: member === '' ? body : body[member], next: cursor }
  }
  const walk = async (path: string, member: string, limit: number, start: Walk, most = Infinity): Promise<unknown[]> => {
    let { rows, next } = start
    while (next !== null && rows.length < most) {
      const page = await turn(path, member, limit, next)
      assert.ok(page.rows.length > 0 && page.rows.length <= limit, path)
      rows = [...rows, ...page.rows]
      next = page.next
    }
    return rows
  }

  it('are the whole list, in order, also while blocks arrive', async () => {
    const begun = []
    for (const [path, member, of, most] of paged) {
      const all = await walk(path, member, most, await turn(path, member, most, null))
      assert.ok(all.length > 2, `${path} has ${all.length} rows: no test`)
      assert.equal(new Set(all.map((row) => JSON.stringify(row))).size, all.length, path)
      for (const limit of [1, 2]) assert.deepEqual((await walk(path, member, limit, await turn(path, member, limit, null), 12)).map(of), all.slice(0, Math.min(12, all.length)).map(of), `${path} by ${limit}`)
      begun.push({ path, member, of, all, first: await turn(path, member, 3, null) })
    }
    await fillRecorded(service.store, [22431084])
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    const { count } = (await service.call('GET /v1/dashboard/txs?limit=1')).body
    assert.equal(count, 1)
    for (const { path, member, of, all, first } of begun) assert.deepEqual((await walk(path, member, 3, first)).map(of), all.map(of), path)
    assert.equal((await service.call('GET /v1/dashboard/txs?limit=1')).body.txs[0].block_number, 22431084)
  })

  it('refuse cursors that are forged, foreign, of another question or too old', async () => {
    const day = makeCursors('somebody else\'s secret').write('list_txs', { chain: 'ETH' }, [1, 1])
    const { next: foreign } = await turn('/v1/dashboard/txs?', 'txs', 1, null)
    for (const [path, member] of paged) {
      const { next } = await turn(path, member, 1, null)
      assert.ok(next !== null)
      for (const wrong of [day, `${next}A`, next.slice(1), 'x', ...(path.includes('/txs') ? [] : [foreign])]) {
        const { status, body } = await service.call(`GET ${path}cursor=${wrong}`)
        assert.deepEqual([status, body.detail.error], [400, 'INVALID_CURSOR'], `${path} ${wrong}`)
      }
    }
    const { next } = await turn('/v1/wallets/flow-explorer?', '', 1, null)
    assert.equal((await service.call(`GET /v1/wallets/flow-explorer?from_class=exchange&cursor=${next}`)).body.detail.error, 'INVALID_CURSOR')
    const old = makeCursors(secret, () => Date.now() - 86_500_000).write('explore_flows', { chain: 'ETH' }, [1, '1', ''])
    const young = makeCursors(secret).write('explore_flows', { chain: 'ETH' }, [Date.now(), '1', ''])
    assert.equal((await service.call(`GET /v1/wallets/flow-explorer?cursor=${old}`)).body.detail.error, 'INVALID_CURSOR')
    assert.equal((await service.call(`GET /v1/wallets/flow-explorer?cursor=${young}`)).status, 200)
  })

  it('of bare lists are members of what the tool answers', async () => {
    const open = await session(`${service.api.url}/mcp`, service.agentKey)
    const rest = (await service.call('GET /v1/wallets/top/ETH?limit=7')).body
    const rows: unknown[] = []
    for (let args: Record<string, unknown> | null = { chain: 'ETH', limit: 3 }; args !== null && rows.length < 7;) {
      const { body } = await post(`${service.api.url}/mcp`, open, message('tools/call', { name: 'list_top_wallets', arguments: args }))
      const { items, next_cursor: next, has_more: more }: any = body.result.structuredContent
      assert.equal(more, next !== null)
      rows.push(...items)
      args = next === null ? null : { chain: 'ETH', limit: rows.length === 3 ? 3 : 1, cursor: next }
    }
    assert.deepEqual(rows, rest)
  })
})
