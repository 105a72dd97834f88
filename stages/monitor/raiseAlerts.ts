/** From what happened to watched addresses to the feed of those who watch them. Looks at the store alone, so it may be repeated and may stop anywhere. */
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { loadSql, type SqlFile } from '../../schemas/sql.js'

const sql = (name: string): SqlFile => loadSql(import.meta.url, `${name}.sql`)
const [watching, pending, progress, transfers, retractions, listings] = [sql('watching'), sql('pending'), sql('progress'), sql('raise_transfers'), sql('raise_retractions'), sql('raise_listings')]
const Watching = z.object({ addresses: z.coerce.number(), changed: z.coerce.number(), told: z.coerce.number() })
const Progress = z.object({ told_to: z.coerce.number() })
const Pending = z.object({ landed: z.coerce.number(), cut: z.coerce.number().nullable(), seq: z.coerce.number() })

/** Events of one run at most, and transfers of one owner: what is left comes with the next. */
export const most = 5_000
const mostOfOwner = 500
/** So long may a statement run whose rows bear the time it began. */
const lateMs = 600_000
/** So often is written down how far the feed is. */
const noteMs = 60_000

export interface Raised { readonly transfers: number; readonly retracted: number; readonly listings: number }

/** Opens the feed's writer. It goes on where the last one stood, however long ago that was; before the first look that is the beginning. */
export const openFeed = (store: Store, now: () => number = Date.now) => {
  /** From when on transfers of a chain may be untold. */
  const since = new Map<string, number>()
  const noted = new Map<string, number>()
  const fromOf = async (chain: string): Promise<number> => {
    const known = since.get(chain) ?? (await store.query(progress, { chain }, Progress))[0]?.told_to ?? 0
    since.set(chain, known)
    return known
  }
  /** All that landed before `to` is told. */
  const advance = async (chain: string, to: number, at: number): Promise<void> => {
    since.set(chain, to)
    if (at - (noted.get(chain) ?? 0) < noteMs) return
    await store.insert('watch_progress', [{ chain, told_to: new Date(to).toISOString(), at: new Date(at).toISOString() }])
    noted.set(chain, at)
  }
  const seq = async (chain: string, from: number): Promise<z.infer<typeof Pending>> =>
    (await store.query(pending, { chain, since: String(from * 1_000) }, Pending))[0] ?? { landed: 0, cut: null, seq: 0 }
  // Two writers that saw the same last event have the same token: one of them wins. A token that no row stands for is good again after five minutes.
  const write = (file: SqlFile, last: number, params: Readonly<Record<string, unknown>>): Promise<number> =>
    store.execute(file, { ...params, seq: last, most }, { token: `watch_alerts|${last}|${Math.floor(now() / 300_000)}` })

  return {
    /** Tells what lists of sanctions say of watched addresses; resolves to events told. */
    listings: async (): Promise<number> => {
      const [row] = await store.query(watching, {}, Watching)
      if (row === undefined || row.addresses === 0 || row.changed === 0) return 0
      return write(listings, (await seq('', now())).seq, {})
    },
    /** Tells transfers of a chain, and takes back those that a reorg took away; null where there was nothing. */
    movements: async (chain: string): Promise<Omit<Raised, 'listings'> | null> => {
      const started = now()
      const from = await fromOf(chain)
      const found = await seq(chain, from)
      const retracted = found.cut === null || found.seq === 0 ? 0 : await write(retractions, found.seq, { chain, height: found.cut })
      let told = 0
      if (found.landed > 0) {
        const last = retracted > 0 ? (await seq(chain, from)).seq : found.seq
        told = await write(transfers, last, { chain, since: String(from * 1_000), mostOfOwner })
      }
      if (told === 0 && retracted < most && started - lateMs > from) await advance(chain, started - lateMs, started)
      return told + retracted === 0 ? null : { transfers: told, retracted }
    },
  }
}
export type Feed = ReturnType<typeof openFeed>
