/** The addresses of one chain that moved most in a span: from the lists of segments where they prove the page, else from every movement. */
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { loadSql } from '../../../schemas/sql.js'
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

/** The page as the lists of segments prove it; null: they do not. */
export const readTopListed = async (store: Store, span: Pick<Span, 'chain' | 'first' | 'newest'>, segmentBlocks: number, rank: string, after: string, limit: number): Promise<Rows | null> => {
  const { chain, first, newest } = span
  const params = { chain, first, newest, segmentBlocks, rank, after, limit }
  const [{ cut } = { cut: [] }] = await store.query(cutSql, params, z.object({ cut: z.array(z.coerce.number()) }))
  const likely = await store.query(likelySql, { ...params, cut, likely: most + 1 }, Likely)
  if (likely.length === 0 || likely.length > most) return null
  return await store.query(among, { ...params, likely: likely.map(({ known }) => known) }, Row)
}

/** Up to `limit` addresses below the position (`rank` in millionths of a dollar, `after` in hex without 0x), highest rank first. */
export const readTopOf = async (store: Store, span: Span, rank: string, after: string, limit: number): Promise<Rows> =>
  (span.chain === 'ETH' ? await readTopListed(store, span, segmentBlocksOf(span.chain), rank, after, limit) : null)
    ?? await store.query(all[span.chain as keyof typeof all], { ...paramsOf(span), rank, after, limit, inner: limit + 999 }, Row)
