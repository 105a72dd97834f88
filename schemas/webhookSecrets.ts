/** Secrets that messages to webhooks are signed with, after Standard Webhooks. Each is derived from one secret of the service, so none of them is stored anywhere. */
import { createHmac, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Store } from './clickhouse.js'

const name = 'webhooks'
const read = async (store: Store): Promise<string | undefined> =>
  (await store.query('SELECT value FROM secrets WHERE name = {name:String} ORDER BY created_at, value LIMIT 1', { name }, z.object({ value: z.string() })))[0]?.value

/** The secret behind all of them, made once and kept in the store. Several processes may ask at once: one token, so all read the same back. */
export const masterSecret = async (store: Store): Promise<string> => {
  const kept = await read(store)
  if (kept !== undefined) return kept
  await store.insertSurely('secrets', [{ name, value: randomBytes(32).toString('base64url'), created_at: new Date().toISOString() }], 'secret-webhooks', async () => await read(store) !== undefined)
  return await read(store) ?? ''
}

/** Secret number `no` of a webhook, as its owner is shown it: whsec_ and 32 bytes in base64. */
export const webhookSecret = (master: string, webhook: string, no: number): string => `whsec_${createHmac('sha256', master).update(`${webhook}|${no}`).digest('base64')}`

/** The header webhook-signature: one signature for each of `secrets`, the newest first. `timestamp` is in Unix seconds. */
export const signatureOf = (secrets: readonly string[], id: string, timestamp: number, body: string): string =>
  secrets.map((secret) => `v1,${createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64')).update(`${id}.${timestamp}.${body}`).digest('base64')}`).join(' ')
