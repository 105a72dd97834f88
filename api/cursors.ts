/** Cursors: opaque, signed, bound to one operation and its other inputs, good for 24 hours. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Store } from '../schemas/clickhouse.js'
import type { Config } from '../schemas/config.js'
import { keptSecret } from '../schemas/keptSecret.js'
import { invalidCursor } from './faults.js'

export interface Cursors {
  /** `position` is the sort position of the last row given; `inputs` are all inputs that choose rows (not limit, not cursor). */
  write(operation: string, inputs: object, position: unknown): string
  /** The position, parsed; throws INVALID_CURSOR on anything forged, malformed, expired or made for other inputs. */
  read<Position>(operation: string, inputs: object, cursor: string, position: z.ZodType<Position>): Position
}

const lifetimeSeconds = 86_400
/** More characters than a URL may have: no cursor of ours. */
const longest = 8_192
const Body = z.tuple([z.number(), z.string(), z.unknown()])

const digestOf = (operation: string, inputs: object): string =>
  createHash('sha256').update(JSON.stringify([operation, Object.entries(inputs).filter(([, value]) => value !== undefined).sort(([a], [b]) => (a < b ? -1 : 1))])).digest('base64url').slice(0, 16)

export const makeCursors = (secret: string, now: () => number = Date.now): Cursors => {
  const sign = (text: string): Buffer => createHmac('sha256', secret).update(text).digest().subarray(0, 16)
  return {
    write: (operation, inputs, position) => {
      const text = Buffer.from(JSON.stringify([Math.floor(now() / 1000), digestOf(operation, inputs), position])).toString('base64url')
      return `${text}.${sign(text).toString('base64url')}`
    },
    read: (operation, inputs, cursor, position) => {
      const [text = '', signature = ''] = cursor.split('.')
      const given = Buffer.from(signature, 'base64url')
      if (cursor.length > longest || cursor !== `${text}.${given.toString('base64url')}` || given.length !== 16 || !timingSafeEqual(given, sign(text))) throw invalidCursor(cursor)
      const body = Body.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString()))
      const parsed = body.success ? position.safeParse(body.data[2]) : undefined
      if (!body.success || parsed?.success !== true || body.data[1] !== digestOf(operation, inputs) || now() / 1000 - body.data[0] > lifetimeSeconds) throw invalidCursor(cursor)
      return parsed.data
    },
  }
}

/** The signer of this installation: CURSOR_SECRET, or a secret made once and kept in the store. */
export const openCursors = async (config: Pick<Config, 'CURSOR_SECRET'>, writer: Store): Promise<Cursors> => makeCursors(config.CURSOR_SECRET ?? await keptSecret(writer, 'cursor'))
