/** Secrets the service makes for itself: each is made once, and kept in the store for all processes. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Store } from './clickhouse.js'
import { AppError } from './errors.js'

const Secret = z.object({ value: z.string() })

/** The secret called `name`, made where there is none. Several processes may ask at once: one token, so one of them wins and all read the same back. */
export const keptSecret = async (store: Store, name: string): Promise<string> => {
  const read = async (): Promise<string | undefined> =>
    (await store.query('SELECT value FROM secrets WHERE name = {name:String} ORDER BY created_at, value LIMIT 1', { name }, Secret))[0]?.value
  let kept = await read()
  if (kept === undefined) {
    await store.insertSurely('secrets', [{ name, value: randomBytes(32).toString('base64url'), created_at: new Date().toISOString() }], `secret-${name}`, async () => (kept = await read()) !== undefined)
  }
  // What is signed or locked with nothing, everybody can sign and open.
  if (kept === undefined || kept === '') throw new AppError('NO_SECRET', `The secret ${name} cannot be read back from the store`, { status: 500, retry: 'attempt' })
  return kept
}
