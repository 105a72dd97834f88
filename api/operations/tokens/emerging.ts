/** Tokens that gain momentum: one implementation behind three routes. */
import { z } from 'zod'
import { lookAlikeLetters } from '../../../schemas/addresses/lookAlikes.js'
import { EvmAddress, Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { emptyBecause } from '../../empty.js'
import { chainOf, cursorField, limitField, millis, sinceField, untilField } from '../../fields.js'
import type { Ask } from '../../operation.js'
import { highestRank, listed, pageOf, Ranked } from '../../pages.js'
import { spanOf, windowOf } from '../../span.js'
import { emptyIfUnpriced, swapsUnpriced, swapsWithin } from '../../unpriced.js'
import { unlistedWarnings } from '../../unlisted.js'
import { untrusted } from '../../untrusted.js'

const listEmergingTokens = loadSql(import.meta.url, 'listEmergingTokens.sql')
const hours = 6
const share = z.number().min(0).max(1)

export const EmergingInput = z.object({
  limit: limitField(200, 20), min_score: z.number().min(0).default(0.05).describe('Least momentum score, 0 to 1'), since: sinceField, until: untilField.describe('Score as of this time; else as of the newest block'), cursor: cursorField,
})
export const EmergingToken = z.object({
  chain: z.string(), token: EvmAddress, symbol: z.string().describe('Untrusted text'), decimals: z.number().int().nullable(), score: share,
  parts: z.object({ buyers: share, volume: share, net_buying: share, new_buyers: share, liquidity: share, smart_money: share.nullable().describe('Leaders who buy; null: no board was in force') }).describe('Against tokens of the same age, before penalties'),
  wash_share: share, top10_buyers_share: share, first_pool_at: Instant, age_hours: z.number(), liquidity_usd: z.number().describe('As volume and traders: against the coin and listed tokens'), volume_usd_1h: z.number(), volume_usd_6h: z.number(),
  buyers_1h: z.number().int(), buyers_6h: z.number().int(), sellers_6h: z.number().int(), new_buyers_1h: z.number().int(), leaders_buying: z.number().int().nullable(), price_usd: z.number().nullable(), scored_at: Instant,
})
const Row = EmergingToken.omit({ chain: true, parts: true, leaders_buying: true }).extend({ smart_known: z.coerce.boolean(), leaders_buying: z.number(), symbol: z.string().transform((text) => untrusted(text)), parts: z.tuple([share, share, share, share, share, share]), rank: z.string() })

/** A page of `operation`, ranked by score, as of the newest block not later than `until`; none where that block is before `since`. */
export const readEmerging = (operation: string) => async (input: z.infer<typeof EmergingInput>, ask: Ask): Promise<z.infer<typeof EmergingToken>[]> => {
  const { cursors } = ask.services
  const inputs = { min_score: input.min_score, since: input.since, until: input.until }
  const [asOf, rank, after] = input.cursor === undefined ? [millis(input.until) ?? undefined, highestRank, ''] as const : cursors.read(operation, inputs, input.cursor, Ranked)
  const span = await spanOf(chainOf('ETH'), hours, ask, false, asOf)
  if (span === null || span.to < (millis(input.since) ?? 0)) return listed([], { ...pageOf([], input.limit, () => '').more, window: windowOf(span) })
  const rows = await ask.store.query(listEmergingTokens, { chain: span.chain, first: span.first, newest: span.newest, to: span.to, min_score: input.min_score, rank, after, limit: input.limit + 1, ...lookAlikeLetters }, Row)
  const { page, more } = pageOf(rows, input.limit, (last) => cursors.write(operation, inputs, [span.to, last.rank, last.token.slice(2)]))
  const swapped = rows.length > 0 ? null : await swapsWithin(span, ask)
  const [unpriced, unlisted] = await Promise.all([swapsUnpriced(span, rows, ask, swapped), unlistedWarnings(span.chain, ask)]), warnings = [...unpriced, ...unlisted]
  // Where nobody swapped anything no list would have shown more.
  const unseen = unlisted.length > 0 && swapped !== null && swapped.swaps > 0
  return listed(page.map(({ rank: _, smart_known: known, leaders_buying: leaders, parts: [buyers, volume, net_buying, new_buyers, liquidity, smart], ...row }) => (
    { ...row, chain: span.chain, leaders_buying: known ? leaders : null, parts: { buyers, volume, net_buying, new_buyers, liquidity, smart_money: known ? smart : null } })), { ...more, window: windowOf(span), warnings, empty: page.length > 0 ? null : unseen ? emptyBecause('data_gap') : emptyIfUnpriced({ coverage_status: { warnings } }) })
}
