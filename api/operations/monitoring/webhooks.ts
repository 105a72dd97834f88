/** Webhooks: what they are to their owner. A webhook of another key is not there; a secret is shown when it is made and never again. */
import { z } from 'zod'
import { Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { notFound } from '../../faults.js'
import type { Ask } from '../../operation.js'
import { ownerOf } from './lists.js'

const readSql = loadSql(import.meta.url, 'readWebhooks.sql')

export const webhookIdField = z.string().regex(/^wh_[0-9a-f]{16}$/).describe('webhook_id of a webhook')
export const Webhook = z.object({
  webhook_id: z.string(), url: z.string(), list_ids: z.array(z.string()).describe('Empty: all lists'), state: z.enum(['active', 'disabled']), reason: z.string().describe('Why it is switched off'),
  previous_secret_until: Instant.nullable().describe('Until then messages are signed with the secret before, too'), last_outcome: z.enum(['delivered', 'failed', 'dead', 'cancelled']).nullable(), last_attempt_at: Instant.nullable(), created_at: Instant,
})
export const WithSecret = Webhook.extend({ secret: z.string().describe('Shown this once') })
export type Webhook = z.infer<typeof Webhook>
const Row = Webhook.omit({ previous_secret_until: true }).extend({ secret_no: z.number().int(), previous_until: z.string(), earlier_until: z.array(z.string()), from_seq: z.number(), version: z.number() })
export type WebhookRow = z.infer<typeof Row>

/** Webhooks of the caller, the oldest first. */
export const readWebhooks = (ask: Ask, webhook = ''): Promise<WebhookRow[]> => ask.store.query(readSql, { owner: ownerOf(ask), webhook }, Row, {}, ask.signal)

/** The caller's webhook; throws 404. */
export const webhookOf = async (ask: Ask, id: string): Promise<WebhookRow> => {
  const [webhook] = await readWebhooks(ask, id)
  if (webhook === undefined) throw notFound('Webhook')
  return webhook
}

export const webhookView = ({ secret_no: _, previous_until: until, earlier_until: __, from_seq: ___, version: ____, ...row }: WebhookRow): Webhook => ({ ...row, previous_secret_until: Date.parse(until) > Date.now() ? until : null })

/** Writes the next version of a webhook of the caller: above the one that was read, whatever the clock of who wrote that said. */
export const writeWebhook = (ask: Ask, { last_outcome: _, last_attempt_at: __, version, ...row }: WebhookRow, deleted = false): Promise<void> =>
  ask.writer.insert('webhooks', [{ owner: ownerOf(ask), ...row, deleted, version: Math.max(Date.now(), version + 1) }])
