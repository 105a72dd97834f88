/** Secrets that messages to webhooks are signed with, after Standard Webhooks. Each is derived from one secret of the service, so none of them is stored anywhere. */
import { createHmac } from 'node:crypto'
import type { Store } from './clickhouse.js'
import { keptSecret } from './keptSecret.js'

/** The secret behind all of them. */
export const masterSecret = (store: Store): Promise<string> => keptSecret(store, 'webhooks')

/** Secret number `no` of a webhook, as its owner is shown it: whsec_ and 32 bytes in base64. */
export const webhookSecret = (master: string, webhook: string, no: number): string => `whsec_${createHmac('sha256', master).update(`${webhook}|${no}`).digest('base64')}`

/** The header webhook-signature: one signature for each of `secrets`, the newest first. `timestamp` is in Unix seconds. */
export const signatureOf = (secrets: readonly string[], id: string, timestamp: number, body: string): string =>
  secrets.map((secret) => `v1,${createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64')).update(`${id}.${timestamp}.${body}`).digest('base64')}`).join(' ')
