/** One attempt to send one message. What came of it is in the store before anything else happens, so a job may run twice or be lost. */
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { AppError, messageOf } from '../../schemas/errors.js'
import type { OutboundPost } from '../../schemas/outbound.js'
import { loadSql } from '../../schemas/sql.js'
import { masterSecret, signatureOf, webhookSecret } from '../../schemas/webhookSecrets.js'
import { openIncident } from '../incidents.js'
import { nextAttempt } from './retries.js'

const [message, disable] = [loadSql(import.meta.url, 'message.sql'), loadSql(import.meta.url, 'disable.sql')]
const Message = z.object({
  owner: z.string(), body: z.string(), first: z.number().nullable(), url: z.string(), secret_no: z.number(), retired_until: z.array(z.number()), active: z.coerce.boolean(), watching: z.coerce.boolean(), tries: z.number(), ended: z.coerce.boolean(),
})
const isTold = 'SELECT attempt FROM webhook_attempts WHERE webhook_id = {webhook:String} AND message_id = {id:String} AND attempt = {attempt:UInt32} LIMIT 1'
const Told = z.object({ attempt: z.number() })
export interface Pointer { readonly webhook: string; readonly message: string }
/** next: Unix milliseconds of the next attempt, null where there is none. */
export interface Attempted { readonly outcome: 'delivered' | 'failed' | 'dead' | 'cancelled'; readonly attempt: number; readonly next: number | null }
interface Answer { readonly status: number; readonly error: string }

/** In words that tell the owner enough and say nothing of this network. */
const wordsOf = (thrown: unknown): string => {
  if (thrown instanceof AppError && thrown.code === 'URL_REFUSED') return thrown.message
  const said = messageOf(thrown)
  return /timeout|aborted/i.test(said) ? 'No answer in time' : /certificate|tls|ssl/i.test(said) ? 'No secure connection' : /ENOTFOUND|EAI_AGAIN/.test(said) ? 'The host has no address' : 'No connection'
}

const send = async ({ webhook, message: id }: Pointer, { url, body, secret_no: no, retired_until: until }: z.infer<typeof Message>, master: string, outbound: OutboundPost, now: number): Promise<Answer> => {
  const timestamp = Math.floor(now / 1_000)
  const secrets = [no, ...until.flatMap((end, at) => (now < end && no - 1 - at > 0 ? [no - 1 - at] : []))].map((one) => webhookSecret(master, webhook, one))
  try {
    const status = await outbound.post(url, body, { 'content-type': 'application/json', 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatureOf(secrets, id, timestamp, body) })
    return { status, error: status >= 200 && status < 300 ? '' : status >= 300 && status < 400 ? 'A redirect, which is not followed' : `HTTP ${status}` }
  } catch (thrown) {
    return { status: 0, error: wordsOf(thrown) }
  }
}

/** Sends `pointer`'s message once more; null where there is nothing to do: it has ended, or waits for its owner to have a tier that is sent to (due.sql finds it again). A webhook that says 410, or took nothing for a day, is switched off and an incident opened. */
export const deliver = async (pointer: Pointer, store: Store, outbound: OutboundPost, now: () => number = Date.now): Promise<Attempted | null> => {
  const { webhook, message: id } = pointer
  const [found] = await store.query(message, { webhook, message: id }, Message)
  if (found === undefined || found.ended) return null
  if (found.active && !found.watching) return null
  const attempt = found.tries + 1
  const began = now()
  const { status, error } = found.active ? await send(pointer, found, await masterSecret(store), outbound, began) : { status: 0, error: 'The webhook was switched off or deleted' }
  const next = !found.active || error === '' || status === 410 ? null : nextAttempt(attempt, now(), found.first ?? began)
  const outcome = !found.active ? 'cancelled' : error === '' ? 'delivered' : next === null ? 'dead' : 'failed'
  const at = new Date(now()).toISOString()
  if (outcome === 'dead') {
    const why = status === 410 ? 'the receiver said that it is gone (410)' : `nothing was taken for a day: ${error}`
    await store.execute(disable, { owner: found.owner, webhook, reason: why })
    await openIncident(store, { id: `webhook-${webhook}`, chain: '', kind: 'webhook_dead', severity: 'warning', summary: `Webhook ${webhook} is switched off: ${why}` })
  }
  await store.insertSurely('webhook_attempts', [{ webhook_id: webhook, message_id: id, attempt, outcome, status, error, milliseconds: Math.round(now() - began), next_at: new Date(next ?? 0).toISOString(), at }], `${id}|${attempt}`,
    async () => (await store.query(isTold, { webhook, id, attempt }, Told)).length > 0)
  return { outcome, attempt, next }
}
