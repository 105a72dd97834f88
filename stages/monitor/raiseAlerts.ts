/** From what happened to watched addresses to the feed of those who watch them. Looks at the store alone, so it may be repeated and may stop anywhere. */
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { loadSql, type SqlFile } from '../../schemas/sql.js'

const sql = (name: string): SqlFile => loadSql(import.meta.url, `${name}.sql`)
const [watching, pending, progress, note, transfers, retractions, listings] = [sql('watching'), sql('pending'), sql('progress'), sql('note'), sql('raise_transfers'), sql('raise_retractions'), sql('raise_listings')]
const Watching = z.object({ addresses: z.coerce.number(), changed: z.coerce.number(), told: z.coerce.number() })
const Progress = z.object({ told_to: z.coerce.number() })
const Pending = z.object({ now: z.coerce.number(), since: z.coerce.number(), landed: z.coerce.number(), cut: z.coerce.number().nullable(), seq: z.coerce.number() })

/** Events of one run at most, and transfers of one owner: what is left comes with the next. */
export const most = 5_000
const mostOfOwner = 500
/** So long may a statement run whose rows bear the time it began. */
const lateMs = 600_000
/** So often is written down how far the feed is. */
const noteMs = 60_000

export interface Raised { readonly transfers: number; readonly retracted: number; readonly listings: number }

/**
 * Opens the feed's writer. It goes on where the last one stood, however long ago that was; before the first look that is the beginning. Times are those of the store, which says when rows landed.
 * `by`: the store as it is written to by who has the right to look.
 */
export const openFeed = (store: Store) => {
  /** From when on transfers of a chain may be untold. */
  const since = new Map<string, number>()
  const noted = new Map<string, number>()
  const fromOf = async (chain: string): Promise<number> => {
    const known = since.get(chain) ?? (await store.query(progress, { chain }, Progress))[0]?.told_to ?? 0
    since.set(chain, known)
    return known
  }
  /** All that landed before `to` is told. */
  const advance = async (by: Store, chain: string, to: number): Promise<void> => {
    since.set(chain, to)
    if (Math.abs(to - (noted.get(chain) ?? 0)) < noteMs) return
    await by.execute(note, { chain, told_to: to })
    noted.set(chain, to)
  }
  const look = async (chain: string, from: number): Promise<z.infer<typeof Pending>> => {
    const [row] = await store.query(pending, { chain, since: from, late: lateMs }, Pending)
    if (row === undefined) throw new Error('The store said nothing of what is pending')
    return row
  }
  // Two writers that saw the same last event have the same token: one of them wins. A token that no row stands for is good again after five minutes. Who comes with a later one finds that there are
  // events beyond `last`, and writes nothing: one writes at a time, and each looks when the one before is done.
  const write = (by: Store, file: SqlFile, { seq: last, now }: z.infer<typeof Pending>, params: Readonly<Record<string, unknown>>): Promise<number> =>
    by.execute(file, { ...params, seq: last, most }, { token: `watch_alerts|${last}|${Math.floor(now / 300_000)}`, alone: 'watch_alerts' })

  return {
    /** Tells what lists of sanctions say of watched addresses; resolves to events told. */
    listings: async (by = store): Promise<number> => {
      const [row] = await store.query(watching, {}, Watching)
      if (row === undefined || row.addresses === 0 || row.changed === 0) return 0
      return write(by, listings, await look('', 0), {})
    },
    /** Tells transfers of a chain, and takes back those that a reorg took away; null where there was nothing. */
    movements: async (chain: string, by = store): Promise<Omit<Raised, 'listings'> | null> => {
      const from = await fromOf(chain)
      const found = await look(chain, from)
      const retracted = found.cut === null || found.seq === 0 ? 0 : await write(by, retractions, found, { chain, height: found.cut })
      let told = 0, passed = false
      if (found.landed > 0) {
        const last = retracted > 0 ? await look(chain, from) : found
        told = await write(by, transfers, last, { chain, since: String(found.since * 1_000), mostOfOwner })
        // It writes nothing where there is nothing to tell, and where another wrote meanwhile: then the next look tells it.
        passed = told === 0 && (await look(chain, from)).seq !== last.seq
      }
      // Also back, where the store's clock was set.
      if (told === 0 && !passed && retracted < most && found.now - lateMs !== from) await advance(by, chain, found.now - lateMs)
      return told + retracted === 0 ? null : { transfers: told, retracted }
    },
  }
}
export type Feed = ReturnType<typeof openFeed>
