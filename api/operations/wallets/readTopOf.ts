/** The addresses of one chain that moved most in a span: from the lists of segments where they prove the page, else from every movement. */
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { loadSql } from '../../../schemas/sql.js'
import type { Ask } from '../../operation.js'
import { highestRank } from '../../pages.js'
import { readRules } from '../labels/byRules.js'
import { paramsOf, segmentBlocksOf, type Span } from '../../span.js'
import { WalletRow } from './wallet.js'

const sql = (name: string) => loadSql(import.meta.url, `${name}.sql`)
const all = { ETH: sql('topWallets'), BTC: sql('topBtcWallets') } as const
const [cutSql, listsSql, likelySql, among] = [sql('topCut'), sql('topLists'), sql('topLikely'), sql('topAmong')] as const
const Row = WalletRow.extend({ rank: z.string() })
const Lists = z.object({ most: z.string(), segments: z.array(z.number().int()), stamp: z.string() })
const Likely = z.object({ known: z.array(z.string()), stamp: z.string() })
type Rows = z.infer<typeof Row>[]
/** More addresses than this are not looked up one by one. */
const most = 1_000

type Bounds = Pick<Span, 'chain' | 'first' | 'newest'>

/** cut: segments of a span that are read whole; the rest is what the lists of the others say together. */
export interface Cut extends z.infer<typeof Lists> { readonly cut: readonly number[] }

/** How the segments of a span stand now. */
export const readCut = async (store: Store, { chain, first, newest }: Bounds, segmentBlocks: number): Promise<Cut> => {
  const params = { chain, first, newest, segmentBlocks }
  const cut = (await store.query(cutSql, params, z.object({ cut: z.array(z.coerce.number()) })))[0]?.cut ?? []
  const [lists] = await store.query(listsSql, { ...params, cut }, Lists)
  return { ...(lists ?? { most: '0', segments: [], stamp: '0' }), cut }
}

/** Who may stand on a page of `limit`; null: too many, or the lists are others by now. */
export type Stood = readonly (readonly string[])[] | null

export const readLikely = async (store: Store, { chain, first, newest }: Bounds, segmentBlocks: number, lists: Cut, rank: string, limit: number): Promise<Stood> => {
  const likely = await store.query(likelySql, { chain, first, newest, segmentBlocks, rank, limit, ...lists, likely: most + 1 }, Likely)
  const stamps = new Set(likely.map(({ stamp }) => stamp))
  if (likely.length > most || !stamps.has(lists.stamp) || [...stamps].some((stamp) => stamp !== '0' && stamp !== lists.stamp)) return null
  return likely.map(({ known }) => known)
}

/** The page as the lists of segments prove it; null: they do not, or they are others by now. `stood`: who may stand on a page as long at least. */
export const readTopListed = async (store: Store, { chain, first, newest }: Bounds, segmentBlocks: number, lists: Cut, stood: Stood, rank: string, after: string, limit: number): Promise<Rows | null> => {
  if (stood === null) return null
  const params = { chain, first, newest, segmentBlocks }
  // Of all that may stand on the page, beside the statement that tells who does: asking after it took 15 ms more.
  const [rows, rules, [now]] = await Promise.all([
    store.query(among, { ...params, likely: stood, rank, after, limit }, Row), readRules(stood.map(([who = '']) => `0x${who.toLowerCase()}`), chain, { store }), store.query(listsSql, { ...params, cut: lists.cut }, Lists),
  ])
  return now?.stamp === lists.stamp ? rows.map(rules) : null
}

/** First pages up to so many rows share what is read for them. */
const together = 25

/** Up to `limit` addresses below the position (`rank` in millionths of a dollar, `after` in hex without 0x), highest rank first. */
export const readTopOf = async (ask: Ask, span: Span, rank: string, after: string, limit: number): Promise<Rows> => {
  const { chain, first, newest } = span, segmentBlocks = segmentBlocksOf(chain)
  const listed = async (): Promise<Rows | null> => {
    const { kept } = await ask.services.coverage.view()
    const lists = await kept.once(`cut ${chain} ${first} ${newest}`, (store) => readCut(store, span, segmentBlocks)), upTo = together * Math.ceil(limit / together)
    const shared = rank === highestRank ? await kept.once(`likely ${chain} ${first} ${newest} ${upTo}`, (store) => readLikely(store, span, segmentBlocks, lists, rank, upTo)) : null
    // What the lists do not prove of a longer page they may prove of this one.
    const stood = shared ?? await readLikely(ask.store, span, segmentBlocks, lists, rank, limit)
    return readTopListed(ask.store, span, segmentBlocks, lists, stood, rank, after, limit)
  }
  const proven = chain === 'ETH' ? await listed() : null
  if (proven !== null) return proven
  const rows = await ask.store.query(all[chain as keyof typeof all], { ...paramsOf(span), rank, after, limit }, Row)
  return rows.map(await readRules(rows.map(({ address }) => address), chain, ask))
}
