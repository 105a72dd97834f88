/** Sessions of the 2025 revision: an id bound to who opened it. They live in this process and survive nothing; a client opens another. */
import { randomUUID } from 'node:crypto'

export interface Session {
  readonly id: string
  readonly owner: string
  /** Calls under way, by request id: what a cancellation reaches. */
  readonly running: Map<string, AbortController>
  /** Questions put to the client so far, and those that wait for its answer, by their number. */
  questions: number
  readonly asked: Map<number, (answer: object) => void>
}

export interface Sessions {
  open(owner: string): Session
  /** undefined where there is none, it has ended, or it is somebody else's: these look the same. */
  find(id: string, owner: string): Session | undefined
  end(session: Session): void
}

interface Kept { readonly session: Session; until: number }

/** At most `most` sessions, `each` per owner, the least recently used out first; `idle` in milliseconds. */
export const openSessions = ({ most = 10_000, each = 100, idle = 3_600_000, now = Date.now } = {}): Sessions => {
  const kept = new Map<string, Kept>()
  const owned = new Map<string, Set<string>>()
  const end = ({ id, owner, running }: Session): void => {
    kept.delete(id)
    const mine = owned.get(owner)
    mine?.delete(id)
    if (mine?.size === 0) owned.delete(owner)
    for (const controller of running.values()) controller.abort()
  }
  const endFirst = (ids: Iterable<string>): void => { for (const id of ids) { const one = kept.get(id); if (one !== undefined) end(one.session); return } }
  const touch = (one: Kept): void => {
    const { id, owner } = one.session
    kept.delete(id)
    kept.set(id, one)
    const mine = owned.get(owner) ?? new Set()
    mine.delete(id)
    owned.set(owner, mine.add(id))
    one.until = now() + idle
  }
  return {
    open: (owner) => {
      const session = { id: randomUUID(), owner, running: new Map<string, AbortController>(), questions: 0, asked: new Map() }
      touch({ session, until: 0 })
      const mine = owned.get(owner)
      if (mine !== undefined && mine.size > each) endFirst(mine)
      if (kept.size > most) endFirst(kept.keys())
      return session
    },
    find: (id, owner) => {
      const one = kept.get(id)
      if (one === undefined || one.session.owner !== owner) return undefined
      if (one.until <= now()) { end(one.session); return undefined }
      touch(one)
      return one.session
    },
    end,
  }
}
