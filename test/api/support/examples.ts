/** A value that fits, for each path parameter and each required parameter of the surface: what tests ask with when they test something else. */
import { fieldsOfPath } from '../../../api/routes.js'

const examples: Readonly<Record<string, string>> = {
  chain: 'ETH', block_number: '5', tx_hash: `0x${'ab'.repeat(32)}`, key_id: 'AAAAAAAA', address: `0x${'ab'.repeat(20)}`, content_hash: 'ab'.repeat(32), event_id: 'ab'.repeat(32), tag_id: '1', coin: 'BTC',
}
/** `name` means different things on different paths. */
const names: readonly (readonly [string, string])[] = [['/stage/', 'enrich'], ['/entity/', 'Binance'], ['/agent-identity/', '1']]

const exampleOf = (path: string, name: string): string => (name === 'name' ? names.find(([part]) => path.includes(part))?.[1] : examples[name]) ?? 'x'

/** `path` with its parameters filled in; `instead` wins. */
export const filled = (path: string, instead: Readonly<Record<string, string>> = {}): string =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) => instead[name] ?? exampleOf(path, name))

/** Query parameters without which `path` is refused: '' or '?coin=BTC'. */
export const requiredQuery = (path: string, required: readonly string[]): string => {
  const wanted = required.filter((name) => !fieldsOfPath(path).includes(name)).map((name) => `${name}=${encodeURIComponent(exampleOf(path, name))}`)
  return wanted.length === 0 ? '' : `?${wanted.join('&')}`
}

/** Bodies that fit, by route; a route that is not here takes none, or none is needed. Nothing here changes more than a tag of the caller's and one line of a waiting list. */
export const bodies: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'POST /v1/pipeline/backfill': { chain: 'ETH', from_block: 1, to_block: 2, dry_run: true },
  'POST /v1/tags': { event_id: 'example', label: 'example' },
  'POST /v1/waitlist': { email: 'example@example.org' },
  'POST /v1/forensic/screen': { address: `0x${'ab'.repeat(20)}` },
}
