/** The addresses of one chain that moved most in a span: from the lists of segments where they prove the page, else from every movement. */
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { loadSql } from '../../../schemas/sql.js'
import type { Ask } from '../../operation.js'
import { paramsOf, segmentBlocksOf, type Span } from '../../span.js'
import { WalletRow } from './wallet.js'

const sql = (name: string) => loadSql(import.meta.url, `${name}.sql`)
const all = { ETH: sql('topWallets'), BTC: sql('topBtcWallets') } as const
const [cutSql, likelySql, among] = [sql('topCut'), sql('topLikely'), sql('topAmong')] as const
const Row = WalletRow.extend({ rank: z.string() })
const Likely = z.object({ known: z.array(z.string()) })
type Rows = z.infer<typeof Row>[]
/** More addresses than this are not looked up one by one. */
const most = 1_000

type Bounds = Pick<Span, 'chain' | 'first' | 'newest'>

/** Segments of a span that are read whole. */
export const readCut = async (store: Store, { chain, first, newest }: Bounds, segmentBlocks: number): Promise<number[]> =>
  (await store.query(cutSql, { chain, first, newest, segmentBlocks }, z.object({ cut: z.array(z.coerce.number()) })))[0]?.cut ?? []

/** The page as the lists of segments prove it; null: they do not. */
export const readTopListed = async (store: Store, { chain, first, newest }: Bounds, segmentBlocks: number, cut: readonly number[], rank: string, after: string, limit: number): Promise<Rows | null> => {
  const params = { chain, first, newest, segmentBlocks, rank, after, limit }
  const lists = Math.floor(newest / segmentBlocks) - Math.floor(first / segmentBlocks) + 1 - cut.length
  const likely = await store.query(likelySql, { ...params, cut, lists, likely: most + 1 }, Likely)
  if (likely.length === 0 || likely.length > most) return null
  return await store.query(among, { ...params, likely: likely.map(({ known }) => known) }, Row)
}

/** Up to `limit` addresses below the position (`rank` in millionths of a dollar, `after` in hex without 0x), highest rank first. */
export const readTopOf = async (ask: Ask, span: Span, rank: string, after: string, limit: number): Promise<Rows> => {
  const { chain, first, newest } = span, segmentBlocks = segmentBlocksOf(chain)
  const listed = async (): Promise<Rows | null> => {
    const cut = await (await ask.services.coverage.view()).kept.once(`cut ${chain} ${first} ${newest}`, (store) => readCut(store, span, segmentBlocks))
    return readTopListed(ask.store, span, segmentBlocks, cut, rank, after, limit)
  }
  return (chain === 'ETH' ? await listed() : null) ?? await ask.store.query(all[chain as keyof typeof all], { ...paramsOf(span), rank, after, limit, inner: limit + 999 }, Row)
}
