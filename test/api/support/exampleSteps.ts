/** What is asked so that the description has an example of it: in order, since a later question may be about what an earlier one made. */
import { bodies } from './examples.js'

export interface Step {
  /** Name of an operation or a document. */
  readonly of: string
  /** Which service is asked: that of blocks and keys, or that of the made market. */
  readonly at: 'blocks' | 'venue'
  /** Which key asks; null: none. */
  readonly as: 'agent' | 'pro' | 'compliance' | 'admin' | 'instant' | null
  /** 'GET /…'; `seen`: the answers so far, by name. */
  readonly target: (seen: any) => string
  readonly body?: (seen: any) => unknown
}

const [moved, other] = ['0x28c6c06298d514db089934071355e5743bf21d60', '0x571ede348ff8c9843a5d5082f54123adda803aca'] as const
/** Paid by a wallet that is on lists of sanctions. */
const paid = '0x7e7bdf8b9bc6bdeeb936e694b3e721424c364e90'
const miner = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

const get = (of: string, path: string | ((seen: any) => string), as: Step['as'] = 'agent', at: Step['at'] = 'blocks'): Step => ({ of, at, as, target: (seen) => `GET ${typeof path === 'string' ? path : path(seen)}` })
const post = (of: string, path: string | ((seen: any) => string), as: Step['as'], body?: object | ((seen: any) => unknown)): Step =>
  ({ of, at: 'blocks', as, target: (seen) => `POST ${typeof path === 'string' ? path : path(seen)}`, ...(body === undefined ? {} : { body: (seen: any) => (typeof body === 'function' ? body(seen) : body) }) })
const venue = (of: string, path: string): Step => get(of, `/v1/feed/hl/${path}`, null, 'venue')
const hook = (seen: any): string => `/v1/monitoring/webhooks/${seen.create_webhook.webhook_id}`
const report = (seen: any): string => `/v1/verify/${seen.create_report.content_hash}`

/** Before blocks come: what is watched from then on. */
export const firstSteps: readonly Step[] = [
  post('create_watch_list', '/v1/monitoring/lists', 'compliance', { name: 'Customers', addresses: [moved] }),
  post('add_watched_addresses', (seen) => `/v1/monitoring/lists/${seen.create_watch_list.list_id}/addresses`, 'compliance', { addresses: [other] }),
  post('create_webhook', '/v1/monitoring/webhooks', 'compliance', bodies['POST /v1/monitoring/webhooks'] ?? {}),
]

/** `bitcoin`: a transaction of the recorded block of Bitcoin. */
export const laterSteps = (bitcoin: string): readonly Step[] => [
  get('get_health', '/health', null), get('get_health_v1', '/v1/health', null), get('get_mcp_fixtures', '/mcp/fixtures.json', null), get('get_mcp_tools', '/mcp/tools.json', null),
  post('create_key', '/v1/keys', null), post('create_named_key', '/v1/keys/named', 'pro', { name: 'night job' }), post('attach_key', '/v1/keys/attach', 'pro', (seen) => ({ key: seen.create_key.api_key })),
  post('exchange_key', '/v1/keys/exchange', 'instant'), get('list_my_keys', '/v1/keys/mine?limit=2', 'pro'), post('revoke_key', (seen) => `/v1/keys/${seen.create_named_key.public_id}/revoke`, 'pro'), get('get_identity', '/v1/auth/me'),
  get('get_btc_tx_links', `/v1/btc/transactions/${bitcoin}/links`), get('list_held_merges', '/v1/btc/held-merges?limit=2', 'admin'),
  get('get_trail_graph', `/v1/wallets/trail/${paid}/graph?hops=1&limit=2`), get('get_trail_graphml', `/v1/wallets/trail/${paid}/graphml?hops=1&limit=2`),
  post('create_report', '/v1/reports', 'compliance', { address: paid }), get('list_reports', '/v1/reports?limit=2', 'compliance'), get('get_report', (seen) => `/v1/reports/${seen.create_report.content_hash}`, 'compliance'),
  get('verify_report', report, null), get('get_signed_report', (seen) => `${report(seen)}/signed`, null), get('get_canonical_report', (seen) => `${report(seen)}/canonical`, null), post('check_report', '/v1/verify', null, (seen) => ({ file: JSON.stringify(seen.get_signed_report) })),
  get('list_watch_lists', '/v1/monitoring/lists', 'compliance'), get('get_watch_list', (seen) => `/v1/monitoring/lists/${seen.create_watch_list.list_id}?limit=2`, 'compliance'), get('list_watch_alerts', '/v1/monitoring/alerts?limit=2', 'compliance'),
  get('list_webhooks', '/v1/monitoring/webhooks', 'compliance'), post('rotate_webhook_secret', (seen) => `${hook(seen)}/rotate`, 'compliance'), post('resume_webhook', (seen) => `${hook(seen)}/resume`, 'compliance'), get('list_webhook_deliveries', (seen) => `${hook(seen)}/deliveries?limit=2`, 'compliance'),
  get('list_queues', '/v1/dashboard/queues'), get('list_dead_letters', '/v1/dashboard/dlq?limit=2'), get('list_logs', '/v1/dashboard/logs?limit=2'), get('get_pipeline_status', '/v1/pipeline/status'),
  ...['pause', 'resume', 'stop', 'start'].map((order) => post(`${order}_pipeline`, `/v1/pipeline/${order}`, 'admin')), ...['pause', 'resume'].map((order) => post(`${order}_stage`, `/v1/pipeline/stage/enrich/${order}`, 'admin')),
  post('backfill', '/v1/pipeline/backfill', 'admin', bodies['POST /v1/pipeline/backfill'] ?? {}), get('list_backfills', '/v1/pipeline/backfill?limit=2', 'admin'), post('withdraw_backfill', (seen) => `/v1/pipeline/backfill/${seen.backfill.target}/withdraw`, 'admin'), post('redrive', '/v1/pipeline/redrive', 'admin'),
  post('screen_addresses', '/v1/forensic/screen/batch', 'agent', { addresses: ['0x098b716b8aaf21512996dc57eb0615e2383e2f96'] }), get('list_sanctions_changes', '/v1/forensic/lists/changes?limit=2'), get('get_agent_identity', '/v1/agent-identity/1', null),
  post('create_tag', '/v1/tags', 'agent', { event_id: 'example', label: 'example' }), post('join_waitlist', '/v1/waitlist', null, { email: 'example@example.org' }),
  get('get_balance', `/v1/rpc/balance?address=${miner}`), get('get_nonce', `/v1/rpc/nonce?address=${miner}`), get('get_code', `/v1/rpc/code?address=${miner}`), get('get_storage_at', `/v1/rpc/storage?address=${miner}&slot=0x0`),
  post('call_contract', '/v1/rpc/call', 'agent', { to: miner, data: '0x' }), get('get_fee_history', '/v1/rpc/fee-history?blocks=2'),
  post('import_labels', '/v1/labels/import', 'admin', { name: 'mine', tagpack: `title: My pack\nconfidence: forensic_investigation\ncurrency: ETH\nsource: https://example.org/why\ntags:\n- {address: ${other}, label: Some fund, category: fund, actor: somefund}\n` }),
  post('export_sql', '/v1/sql', 'pro', { query: 'SELECT block_number, tx_count FROM blocks WHERE chain = \'ETH\' ORDER BY block_number DESC LIMIT 1', preview: true }),
]

export const venueSteps = (trader: string): readonly Step[] => [
  venue('get_hl_recent', 'recent?hours=24&limit=2'), venue('get_hl_pulse', 'pulse'), venue('get_hl_traders', 'traders?min_trades=1&limit=2'), venue('get_hl_styled_traders', 'traders/styled?limit=2'), venue('get_hl_trader', `trader/${trader}?limit=2`), venue('get_hl_positions', 'positions'),
  venue('get_hl_funding', 'funding'), venue('get_hl_depth', 'depth?coins=BTC'), venue('get_hl_flow_history', 'flow-history?coin=BTC&buckets=2'), venue('get_hl_alerts', 'alerts?limit=2'), venue('get_hl_signals', 'signals?hours=4&limit=2'), venue('get_hl_signal_log', 'signal-log?limit=2'),
  venue('get_hl_strategies', 'strategies'), venue('get_hl_alpha', 'alpha'), venue('get_hl_copytrade', 'copytrade/curated'), venue('get_hl_suspects', 'suspects?min_return=1'), venue('get_hl_insider_trades', 'insider-trades?limit=2'),
]
