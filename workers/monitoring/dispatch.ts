/** From the feed to messages: each webhook has at most one message under way, with all that waited, so a receiver that does not answer keeps one place and no more. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { loadSql } from '../../schemas/sql.js'
import { readAlerts } from './alerts.js'
import type { Pointer } from './deliver.js'

/** Known without reading a row: most installations have none, and to plan what is due costs ten times as much, at every look. */
const anyWebhook = 'SELECT count() > 0 AS any FROM webhooks'
const Any = z.object({ any: z.coerce.boolean() })
const due = loadSql(import.meta.url, 'due.sql')
const Due = z.object({ owner: z.string(), webhook_id: z.string(), list_ids: z.array(z.string()), position: z.number(), message_id: z.string(), tries: z.number(), ready: z.coerce.boolean(), overdue: z.coerce.boolean() })
const isMade = 'SELECT message_id FROM webhook_messages WHERE webhook_id = {webhook:String} AND message_id = {id:String} LIMIT 1'
const Made = z.object({ message_id: z.string() })
/** Alerts of one message. */
const mostAlerts = 100

/** What has to be sent: attempt is the number of the next one. */
export interface Ready extends Pointer { readonly attempt: number }

const makeMessage = async ({ owner, webhook_id: webhook, list_ids: lists, position }: z.infer<typeof Due>, store: Store): Promise<Ready | null> => {
  const alerts = await readAlerts(store, { owner, lists, after: position, limit: mostAlerts })
  const last = alerts.at(-1)
  if (last === undefined) return null
  const id = `msg_${createHash('sha256').update(`${webhook}|${position}`).digest('base64url').slice(0, 27)}`
  const at = new Date().toISOString()
  const body = JSON.stringify({ type: 'monitoring.alerts', timestamp: at, data: { webhook_id: webhook, alerts } })
  await store.insertSurely('webhook_messages', [{ webhook_id: webhook, owner, from_seq: position, to_seq: last.position, message_id: id, alerts: alerts.length, body, created_at: at }], `${webhook}|${position}`,
    async () => (await store.query(isMade, { webhook, id }, Made)).length > 0)
  return { webhook, message: id, attempt: 1 }
}

/** Makes messages of what waits, and finds those whose job was lost; of `only` one webhook, or of all. */
export const dispatch = async (store: Store, only = ''): Promise<Ready[]> => {
  const made: Ready[] = []
  if ((await store.query(anyWebhook, {}, Any))[0]?.any !== true) return made
  for (const one of await store.query(due, { only }, Due)) {
    if (one.overdue) made.push({ webhook: one.webhook_id, message: one.message_id, attempt: one.tries + 1 })
    const message = one.ready ? await makeMessage(one, store) : null
    if (message !== null) made.push(message)
  }
  return made
}
