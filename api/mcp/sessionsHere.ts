/** Sessions as this process knows them: what runs in each, and who owns it. The least recently used go first when there are too many. */

export interface Session {
  readonly id: string
  readonly owner: string
  /** Calls under way in this process, by request id: what a cancellation reaches. */
  readonly running: Map<string, AbortController>
  /** Questions this process put to the client that wait for its answer, by their number. */
  readonly asked: Map<number, (answer: object) => void>
}

export interface SessionsHere {
  /** The session, made where this process did not know it, as just used. */
  use(id: string, owner: string): Session
  /** undefined where there is none, it is idle for too long, or somebody else's: these look the same. */
  find(id: string, owner: string): Session | undefined
  /** Whoever owns it. */
  get(id: string): Session | undefined
  /** Forgets it and ends what runs in it here. */
  end(id: string): void
}

export interface Bounds { /** Sessions at most here, and for each owner. */ readonly most?: number; readonly each?: number; /** Milliseconds. */ readonly idle?: number; readonly now?: () => number }
export const usual = { most: 10_000, each: 100, idle: 3_600_000, now: Date.now }

interface Kept { readonly session: Session; until: number }

export const openSessionsHere = (bounds: Bounds = {}): SessionsHere => {
  const { most, each, idle, now } = { ...usual, ...bounds }
  const kept = new Map<string, Kept>()
  const owned = new Map<string, Set<string>>()
  const end = (id: string): void => {
    const one = kept.get(id)
    if (one === undefined) return
    const { owner, running } = one.session, mine = owned.get(owner)
    kept.delete(id)
    mine?.delete(id)
    if (mine?.size === 0) owned.delete(owner)
    for (const controller of running.values()) controller.abort()
  }
  const endFirst = (ids: Iterable<string>): void => { for (const id of ids) { end(id); return } }
  const touch = (one: Kept): void => {
    const { id, owner } = one.session
    kept.delete(id)
    kept.set(id, one)
    const mine = owned.get(owner) ?? new Set()
    mine.delete(id)
    owned.set(owner, mine.add(id))
    one.until = now() + idle
    if (mine.size > each) endFirst(mine)
    if (kept.size > most) endFirst(kept.keys())
  }
  return {
    use: (id, owner) => {
      const one = kept.get(id) ?? { session: { id, owner, running: new Map<string, AbortController>(), asked: new Map<number, (answer: object) => void>() }, until: 0 }
      touch(one)
      return one.session
    },
    find: (id, owner) => {
      const one = kept.get(id)
      if (one === undefined || one.session.owner !== owner) return undefined
      if (one.until <= now()) { end(id); return undefined }
      touch(one)
      return one.session
    },
    get: (id) => kept.get(id)?.session,
    end,
  }
}
