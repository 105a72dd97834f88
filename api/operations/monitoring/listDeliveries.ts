import { z } from 'zod'
import { Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { emptyBecause } from '../../empty.js'
import { cursorField, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { pageFields, pageOf } from '../../pages.js'
import { webhookIdField, webhookOf } from './webhooks.js'

const listDeliveries = loadSql(import.meta.url, 'listDeliveries.sql')
const Delivery = z.object({
  message_id: z.string().describe('The header webhook-id, the same at every attempt'), alerts: z.number().int(), after: z.number().int().describe('Alerts above this position of the feed are in it'), to_position: z.number().int(), attempt: z.number().int(),
  outcome: z.enum(['delivered', 'failed', 'dead', 'cancelled']), status: z.number().int().nullable().describe('HTTP status; null: none came'), error: z.string(), milliseconds: z.number().int(), at: Instant, next_at: Instant.nullable(),
})
const Position = z.tuple([z.number().int(), z.string(), z.number().int()])

export default operation({
  name: 'list_webhook_deliveries', route: 'GET /v1/monitoring/webhooks/{webhook_id}/deliveries', auth: 'key', lane: 'compliance', tool: false, sources: ['webhook_attempts'], rows: 'deliveries',
  summary: 'Every attempt to send to a webhook of yours, the newest first.',
  input: z.object({ webhook_id: webhookIdField, limit: limitField(200, 50), cursor: cursorField }), output: z.object({ webhook_id: z.string(), count: z.number().int(), deliveries: z.array(Delivery), ...pageFields }),
  empty: () => emptyBecause('no_signal'),
  run: async (input, ask) => {
    const { cursors } = ask.services
    const inputs = { webhook_id: input.webhook_id }
    const [at, message, attempt] = input.cursor === undefined ? [Number.MAX_SAFE_INTEGER, '', 0] as const : cursors.read('list_webhook_deliveries', inputs, input.cursor, Position)
    await webhookOf(ask, input.webhook_id)
    const rows = await ask.store.query(listDeliveries, { webhook: input.webhook_id, at, message, attempt, limit: input.limit + 1 }, Delivery, {}, ask.signal)
    const { page, more } = pageOf(rows, input.limit, (last) => cursors.write('list_webhook_deliveries', inputs, [Date.parse(last.at), last.message_id, last.attempt]))
    return { webhook_id: input.webhook_id, count: page.length, deliveries: page, ...more }
  },
})
