/** A value that fits, for each path parameter and each required parameter of the surface: what tests ask with when they test something else. */
import { fieldsOfPath } from '../../../api/routes.js'

const examples: Readonly<Record<string, string>> = {
  chain: 'ETH', block_number: '5', tx_hash: `0x${'ab'.repeat(32)}`, key_id: 'AAAAAAAA', address: `0x${'ab'.repeat(20)}`, content_hash: 'ab'.repeat(32), event_id: 'ab'.repeat(32), tag_id: '1', coin: 'BTC', token: `0x${'ab'.repeat(20)}`, slot: '0x0', id: `0x${'ab'.repeat(32)}`, from_block: '5', to_block: '6', list_id: `wl_${'0'.repeat(16)}`, webhook_id: `wh_${'0'.repeat(16)}`,
}
/** `name` means different things on different paths. */
const names: readonly (readonly [string, string])[] = [['/stage/', 'enrich'], ['/entity/', 'Binance'], ['/agent-identity/', '1']]

const exampleOf = (path: string, name: string): string => (name === 'name' ? names.find(([part]) => path.includes(part))?.[1] : examples[name]) ?? 'x'

/** `path` with its parameters filled in; `instead` wins. */
export const filled = (path: string, instead: Readonly<Record<string, string>> = {}): string =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) => instead[name] ?? exampleOf(path, name))

/** Asked for beyond what the schema requires: one of several. */
const oneOf: Readonly<Record<string, string>> = { '/v1/rpc/logs': 'address' }

/** Query parameters without which `path` is refused: '' or '?coin=BTC'. */
export const requiredQuery = (path: string, required: readonly string[]): string => {
  const wanted = [...required, ...(oneOf[path] === undefined ? [] : [oneOf[path]])].filter((name) => !fieldsOfPath(path).includes(name)).map((name) => `${name}=${encodeURIComponent(exampleOf(path, name))}`)
  return wanted.length === 0 ? '' : `?${wanted.join('&')}`
}

/** Bodies that fit, by route; a route that is not here takes none, or none is needed. Nothing here changes more than a tag of the caller's and one line of a waiting list, or makes more than a report of the caller's. */
export const bodies: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'POST /v1/keys/named': { name: 'example' },
  'POST /v1/keys/attach': { key: `hyd_${'A'.repeat(38)}` },
  'POST /v1/pipeline/backfill': { chain: 'ETH', from_block: 1, to_block: 2, dry_run: true },
  'POST /v1/labels/import': { name: 'example', tagpack: 'title: Example\ntags: []' },
  'POST /v1/tags': { event_id: 'example', label: 'example' },
  'POST /v1/waitlist': { email: 'example@example.org' },
  'POST /v1/rpc': { method: 'eth_chainId' },
  'POST /v1/rpc/call': { to: `0x${'ab'.repeat(20)}`, data: '0x' },
  'POST /v1/sql': { query: 'SELECT 1', preview: true },
  'POST /v1/sql/rows': { query: 'SELECT 1' },
  'POST /v1/ask': { question: 'What moved?' },
  'POST /v1/verify': { file: '{}' },
  'POST /v1/reports': { address: `0x${'ab'.repeat(20)}` },
  'POST /v1/forensic/screen/batch': { addresses: [`0x${'ab'.repeat(20)}`] },
  'POST /v1/monitoring/lists': { name: 'example' },
  'POST /v1/monitoring/lists/{list_id}/addresses': { addresses: [`0x${'ab'.repeat(20)}`] },
  'POST /v1/monitoring/webhooks': { url: 'https://example.org/hook' },
  'POST /v1/forensic/screen': { address: `0x${'ab'.repeat(20)}` },
}
