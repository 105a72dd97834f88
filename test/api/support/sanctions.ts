/** Sanctions lists as the store has them, made for tests. */
import { randomBytes } from 'node:crypto'
import type { Store } from '../../../schemas/clickhouse.js'
import { refresh } from '../../../api/operations/forensic/sanctionsLists.js'

export interface MadeListing { readonly address: string; readonly id?: string; readonly name?: string; readonly ticker?: string; readonly more?: object }
let last = 0

/** Puts lists in force: register → what it names (nothing: a list that names somebody else). at: when it was known to be current. Answers ask the store anew from now on. */
export const putLists = async (store: Store, lists: Readonly<Record<string, readonly MadeListing[]>>, { at = new Date(), version = '2026-01-01' }: { readonly at?: Date; readonly version?: string } = {}): Promise<void> => {
  refresh.milliseconds = 0
  for (const [register, listings] of Object.entries(lists)) {
    const content = randomBytes(8).toString('hex')
    const rows = listings.map(({ address, id = '1', name = 'Someone', ticker = 'ETH', more = {} }) => ({
      register, content, key: address.toLowerCase(), list_id: id, ticker, address, also: [], chain: '', repaired: '', unreadable: '', entity_name: name, programme: 'CYBER2', designating_authority: 'OFAC', aggregator: 'SDN_ADVANCED', listed_on: '2024-05-06', ends_on: null, confidence: 1, ...more,
    }))
    await store.insert('designations', rows)
    last = Math.max(Date.now(), last + 1)
    await store.insert('sanctions_loads', [{
      register, version: last, status: 'accepted', content, list_version: version, sha256: 'ab'.repeat(32), source: 'bundled', published_at: `${version}T00:00:00Z`, current_at: at.toISOString(), entries: 1, addresses: new Set(rows.map(({ key }) => key)).size, unreadable: 0, reason: '', loaded_at: new Date().toISOString(),
    }])
  }
}
