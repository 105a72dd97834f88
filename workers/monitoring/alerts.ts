/** Events of the feed of watched addresses, as the API and webhooks give them. */
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { Address, Amount, EvmAddress, Hash, Instant } from '../../schemas/primitives.js'
import { loadSql } from '../../schemas/sql.js'
import { cleanText } from '../../stages/enrich/cleanText.js'

const alerts = loadSql(import.meta.url, 'alerts.sql')

export const events = ['transfer', 'retracted', 'listed', 'delisted'] as const
export const WatchAlert = z.object({
  position: z.number().int().describe('Order of the feed: give the last one as after'), alert_id: z.string(), list_id: z.string(), event: z.enum(events).describe('retracted: a reorg took the transfer with this alert_id away'),
  severity: z.enum(['critical', 'high', 'info']), chain: z.string().describe('Empty: an address of a chain that is not followed'), address: z.string(), direction: z.enum(['in', 'out']).nullable(),
  counterparty: Address.nullable(), counterparty_label: z.string().nullable().describe('Untrusted text'), counterparty_class: z.string().nullable(), token: EvmAddress.nullable(), token_symbol: z.string().nullable().describe('Untrusted text'), token_decimals: z.number().int().nullable(),
  amount: Amount.nullable(), token_id: Amount.nullable(), value_usd: z.number().nullable().describe('null: unknown'), tx_hash: Hash.nullable(), block_number: z.number().int().nullable(), block_hash: Hash.nullable(), block_time: Instant.nullable(),
  register: z.string().nullable().describe('The sanctions list that changed'), list_version: z.string().nullable(), entry_id: z.string().nullable(), entity_name: z.string().nullable().describe('Untrusted text'), at: Instant,
})
export type WatchAlert = z.infer<typeof WatchAlert>

const text = z.string().nullable().transform((raw) => (raw === null ? null : cleanText(raw, 200)))
const Row = WatchAlert.extend({ counterparty_label: text, token_symbol: text, entity_name: text })
const newest = '18446744073709551615'

export interface Wanted { readonly owner: string; readonly lists?: readonly string[]; readonly event?: string; readonly after?: number; readonly before?: number | undefined; readonly newestFirst?: boolean; readonly limit: number }

/** Events after `after` and before `before` (positions), the oldest first unless asked otherwise. */
export const readAlerts = (store: Store, { owner, lists = [], event = '', after = 0, before, newestFirst = false, limit }: Wanted, signal?: AbortSignal): Promise<WatchAlert[]> =>
  store.query(alerts, { owner, lists, event, after, before: before ?? newest, newest: newestFirst, limit }, Row, {}, signal)
