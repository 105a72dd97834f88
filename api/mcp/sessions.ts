/**
 * Sessions of the 2025 revision: an id bound to who opened it. Redis keeps them for all processes of the API; while it does not answer, each
 * process goes by what it knows itself. What runs in a session runs in one process: answers and cancellations that reach another are told to all.
 */
import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import { openSessionsHere, usual, type Bounds, type Session } from './sessionsHere.js'

export interface Sessions {
  open(owner: string): Promise<Session>
  /** undefined where there is none, it has ended, or it is somebody else's: these look the same. */
  find(id: string, owner: string): Promise<Session | undefined>
  end(session: Session): Promise<void>
  /** Gives the client's answer to the call that asked, in whichever process it runs. */
  answer(session: Session, answer: { readonly id: number }): Promise<void>
  /** Ends the call with that request id, in whichever process it runs. */
  cancel(session: Session, request: string): Promise<void>
  close(): void
}

const Told = z.discriminatedUnion('what', [
  z.object({ what: z.literal('end'), id: z.string() }),
  z.object({ what: z.literal('cancel'), id: z.string(), request: z.string() }),
  z.object({ what: z.literal('answer'), id: z.string(), answer: z.looseObject({ id: z.number() }) }),
])
type Told = z.infer<typeof Told>
const parsed = (text: string): unknown => { try { return JSON.parse(text) } catch { return undefined } }

/** `redis`: commands fail at once while it is away. `prefix` of its keys. At most `each` sessions for each owner, the least recently used out first; `idle` in milliseconds. */
export const openSessions = (redis: Redis, prefix: string, bounds: Bounds = {}): Sessions => {
  const { most, each, idle, now } = { ...usual, ...bounds }
  const here = openSessionsHere(bounds)
  let closed = false
  const keyOf = (owner: string): string => `${prefix}_mcp_sessions_${owner}`, channel = `${prefix}_mcp`

  const act = (told: Told): void => {
    const session = here.get(told.id)
    if (told.what === 'end') here.end(told.id)
    else if (told.what === 'cancel') session?.running.get(told.request)?.abort()
    else session?.asked.get(told.answer.id)?.(told.answer)
  }
  const ear = redis.duplicate({ autoResubscribe: false })
  // The connection for commands has said it already.
  ear.on('error', () => undefined)
  ear.on('message', (_channel, text: string) => {
    // Another version may say what this one does not know.
    const told = Told.safeParse(parsed(text))
    if (told.success) act(told.data)
  })
  /** Of the time while Redis did not answer: sessions used here, which it may not know, and ended ones, which it may still know. */
  const strays = new Map<string, string>(), ended = new Map<string, string>()
  const note = (kept: Map<string, string>, id: string, owner: string): void => {
    kept.set(id, owner)
    if (kept.size > most) for (const first of kept.keys()) { kept.delete(first); break }
  }
  const tellEnded = async (): Promise<void> => {
    for (const [id, owner] of ended) { await redis.zrem(keyOf(owner), id); await tell({ what: 'end', id }); ended.delete(id) }
  }
  const returned = (): void => { tellEnded().catch(() => undefined) }
  redis.on('ready', returned)
  // A connection on which nothing is heard is of no use.
  ear.on('ready', () => { ear.subscribe(channel).catch(() => { ear.disconnect(!closed) }) })

  /** What Redis says; `otherwise` while it does not answer. */
  const ask = async <Value, Other>(question: () => Promise<Value>, otherwise: Other): Promise<Value | Other> => { try { return await question() } catch { return otherwise } }
  const tell = async (told: Told): Promise<void> => { await ask(() => redis.publish(channel, JSON.stringify(told)), 0) }

  return {
    open: async (owner) => {
      const id = randomUUID(), key = keyOf(owner)
      const over = await ask(async () => {
        await Promise.all([redis.zadd(key, now(), id), redis.pexpire(key, idle)])
        const first = await redis.zrange(key, 0, String(-each - 1))
        if (first.length > 0) await redis.zrem(key, ...first)
        return first
      }, undefined)
      if (over === undefined) note(strays, id, owner)
      else returned()
      await Promise.all((over ?? []).map((gone) => { act({ what: 'end', id: gone }); return tell({ what: 'end', id: gone }) }))
      return here.use(id, owner)
    },
    find: async (id, owner) => {
      const key = keyOf(owner), used = await ask(() => redis.zscore(key, id), undefined)
      if (ended.has(id)) return undefined
      if (used === undefined) {
        const session = here.find(id, owner)
        if (session !== undefined) note(strays, id, owner)
        return session
      }
      const stray = strays.has(id) && here.find(id, owner) !== undefined
      if (stray) strays.delete(id)
      // What runs in a session that Redis has forgotten goes on; its client opens another.
      else if (used === null || Number(used) + idle <= now()) return undefined
      // Not put back where it was ended meanwhile.
      await ask(() => Promise.all([stray ? redis.zadd(key, now(), id) : redis.zadd(key, 'XX', now(), id), redis.pexpire(key, idle)]), [])
      return here.use(id, owner)
    },
    end: async ({ id, owner }) => {
      here.end(id)
      strays.delete(id)
      if (await ask(() => redis.zrem(keyOf(owner), id), undefined) === undefined) note(ended, id, owner)
      await tell({ what: 'end', id })
    },
    answer: async ({ id, asked: waiting }, answer) => {
      const told: Told = { what: 'answer', id, answer: { ...answer } }
      if (waiting.has(answer.id)) act(told)
      else await tell(told)
    },
    cancel: async ({ id, running }, request) => {
      const told: Told = { what: 'cancel', id, request }
      if (running.has(request)) act(told)
      else await tell(told)
    },
    close: () => { closed = true; redis.off('ready', returned); ear.disconnect() },
  }
}
