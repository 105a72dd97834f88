/** A made market of Hyperliquid for a first look: four weeks of it, heard as if the venue had said it, and marked as synthetic. */
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { openJournal } from '../../stages/ingest/hyperliquid/journal.js'
import { dropMarket, landMarket, makeMarket, sayMarket } from '../market/market.js'

const Count = z.object({ count: z.coerce.number() })
const there = "SELECT (SELECT count() FROM raw_payloads WHERE chain = 'HL' AND endpoint = 'synthetic') + (SELECT count() FROM hl_coins WHERE chain = 'HL' AND source = 'synthetic') AS count"
/** Payloads of thirty days ago are dropped, so it is shorter. */
const days = 28
const segments = 8

/** Makes the market once for a store, before anything listens; resolves to its fills, 0 where it was there already. */
export const wantMarket = async (store: Store, now = Date.now()): Promise<number> => {
  const [row] = await store.query(there, {}, Count)
  if ((row?.count ?? 0) > 0) return 0
  try {
    const market = await makeMarket(store, { seed: 8, traders: 24, days, until: Math.floor(now / 60_000) * 60_000 })
    await sayMarket(store, market)
    const newest = await openJournal(store, 'HL').newest()
    await landMarket(store, market, segments, (newest?.number ?? 0) + 1, newest?.hash.replace(/^0x/, ''))
    return market.fills
  } finally { await dropMarket(store) }
}
