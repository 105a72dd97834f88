/** A made market of Hyperliquid for a first look: four weeks of it and all that came since, heard as if the venue had said it, and marked as synthetic. */
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { loadSql } from '../../schemas/sql.js'
import { openJournal } from '../../stages/ingest/hyperliquid/journal.js'
import { dropMarket, landMarket, makeMarket, sayMarket } from '../market/market.js'

const heard = loadSql(import.meta.url, 'market.sql')
const Heard = z.object({ begin: z.coerce.number(), last: z.coerce.number() })
/** Payloads of thirty days ago are dropped: it begins later, and what is older is not told any more. */
const days = 28
const dayMs = 86_400_000
/** Segments of four weeks. */
const segments = 8

/** Makes the market up to `now`, before anything listens: a store that has one hears what came since. Resolves to the fills of all of it, 0 where it has one of the last minute. `whole` is given the one part that must not be broken off: what has landed says how far the market was heard. */
export const wantMarket = async (store: Store, now = Date.now(), whole: <Value>(work: Promise<Value>) => Promise<Value> = async (work) => work): Promise<number> => {
  const [{ begin: begun = 0, last = 0 } = {}] = await store.query(heard, {}, Heard)
  const until = Math.floor(now / 60_000) * 60_000, begin = begun === 0 ? until - days * dayMs : Math.floor(begun / 60_000) * 60_000
  if (until - last < 60_000) return 0
  try {
    const market = await makeMarket(store, { seed: 8, traders: 24, days: (until - begin) / dayMs, until })
    await sayMarket(store, market)
    const newest = await openJournal(store, 'HL').newest()
    await whole(landMarket(store, market, Math.ceil(segments * market.minutes / (days * 1_440)), (newest?.number ?? 0) + 1, newest?.hash.replace(/^0x/, ''), Math.max(last, until - days * dayMs)))
    return market.fills
  } finally { await dropMarket(store) }
}
